# How many lines a benchmark has fewer than, where that is not 300: by workload and ranks. What is recorded differs from run
# to run, so that these are a tenth more than one of them had.
set(lines_amr_9 430)
set(lines_amr_16 640)
