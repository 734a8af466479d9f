# Lets a machine with few cores, a container or root run more ranks than there are cores. To be sourced.
# For trying things out and for tests: it spoils measurements of latency.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1
# Copying between processes needs a right that containers do not have.
export OMPI_MCA_btl_vader_single_copy_mechanism=none
# The other ways of one-sided communication need that right too.
export OMPI_MCA_osc=pt2pt
