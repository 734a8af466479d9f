C     Heat in a plate in FORTRAN 77: the plate is cut into strips of
C     columns; neighbors trade whole columns with blocking calls, even
C     ranks sending first, odd ranks receiving first.
C     Class: nearest neighbors on a line without wrap-around, MPI_SEND
C     and MPI_RECV in an order that cannot deadlock, through mpif.h.
C     The initial temperature is an eigenvector of the scheme, so the
C     answer is known in every cell.
      PROGRAM F77
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER NX, NY, MAXNX, MAXNY
      PARAMETER (MAXNX = 128, MAXNY = 64)
      DOUBLE PRECISION U(0:MAXNX+1, 0:MAXNY+1)
      DOUBLE PRECISION V(0:MAXNX+1, 0:MAXNY+1)
      COMMON /PLATE/ U, V
      INTEGER RANK, NRANKS, STEPS, EVERY, STEP, WRONG, ALL, IERR
      INTEGER CHECK, OPTION
      DOUBLE PRECISION PEAK, MINE, HOTTST
      EXTERNAL CHECK, OPTION, HOTTST

      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, NRANKS, IERR)
      STEPS = OPTION('--steps', 20)
C     The strips are as large as the common block at most.
      NX = MIN(OPTION('--nx', 32), MAXNX)
      NY = MIN(OPTION('--ny', 8), MAXNY)
      EVERY = OPTION('--every', 5)

      CALL START(NX, NY, RANK, NRANKS)
      PEAK = 0
      DO 10 STEP = 1, STEPS
        CALL TRADE(NX, NY, RANK, NRANKS)
        CALL CNDUCT(NX, NY)
        IF (MOD(STEP, EVERY) .EQ. 0 .OR. STEP .EQ. STEPS) THEN
          MINE = HOTTST(NX, NY)
          CALL MPI_REDUCE(MINE, PEAK, 1, MPI_DOUBLE_PRECISION, MPI_MAX,
     &                    0, MPI_COMM_WORLD, IERR)
        END IF
   10 CONTINUE

      WRONG = CHECK(NX, NY, RANK, NRANKS, STEPS)
      CALL MPI_ALLREDUCE(WRONG, ALL, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0) THEN
        WRITE (*, 20) NRANKS, STEPS, PEAK
        IF (ALL .EQ. 0) WRITE (*, '(A)') ': correct'
        IF (ALL .NE. 0) WRITE (*, '(A)') ': WRONG'
      END IF
   20 FORMAT ('stencil_f77: ', I0, ' ranks, ', I0, ' steps, peak ',
     &        F8.6, $)
      CALL MPI_FINALIZE(IERR)
      IF (ALL .NE. 0) STOP 1
      END

C     Trades the outermost columns with the ranks to the west and east.
      SUBROUTINE TRADE(NX, NY, RANK, NRANKS)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER NX, NY, RANK, NRANKS, MAXNX, MAXNY, WEST, EAST
      PARAMETER (MAXNX = 128, MAXNY = 64)
      DOUBLE PRECISION U(0:MAXNX+1, 0:MAXNY+1)
      DOUBLE PRECISION V(0:MAXNX+1, 0:MAXNY+1)
      COMMON /PLATE/ U, V

      WEST = RANK - 1
      EAST = RANK + 1
      IF (WEST .LT. 0) WEST = MPI_PROC_NULL
      IF (EAST .EQ. NRANKS) EAST = MPI_PROC_NULL
      IF (MOD(RANK, 2) .EQ. 0) THEN
        CALL GIVE(U(1, NY), NX, EAST)
        CALL TAKE(U(1, NY+1), NX, EAST)
        CALL GIVE(U(1, 1), NX, WEST)
        CALL TAKE(U(1, 0), NX, WEST)
      ELSE
        CALL TAKE(U(1, 0), NX, WEST)
        CALL GIVE(U(1, 1), NX, WEST)
        CALL TAKE(U(1, NY+1), NX, EAST)
        CALL GIVE(U(1, NY), NX, EAST)
      END IF
      END

      SUBROUTINE GIVE(COLUMN, NX, PEER)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER NX, PEER, IERR
      DOUBLE PRECISION COLUMN(NX)
      CALL MPI_SEND(COLUMN, NX, MPI_DOUBLE_PRECISION, PEER, 7,
     &              MPI_COMM_WORLD, IERR)
      END

      SUBROUTINE TAKE(COLUMN, NX, PEER)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER NX, PEER, IERR, STATUS(MPI_STATUS_SIZE)
      DOUBLE PRECISION COLUMN(NX)
      CALL MPI_RECV(COLUMN, NX, MPI_DOUBLE_PRECISION, PEER, 7,
     &              MPI_COMM_WORLD, STATUS, IERR)
      END

C     One step of the 5-point scheme.
      SUBROUTINE CNDUCT(NX, NY)
      IMPLICIT NONE
      INTEGER NX, NY, MAXNX, MAXNY, X, Y
      PARAMETER (MAXNX = 128, MAXNY = 64)
      DOUBLE PRECISION U(0:MAXNX+1, 0:MAXNY+1)
      DOUBLE PRECISION V(0:MAXNX+1, 0:MAXNY+1)
      COMMON /PLATE/ U, V
      DO 20 Y = 1, NY
        DO 10 X = 1, NX
          V(X, Y) = 0.2D0 * (U(X, Y) + U(X-1, Y) + U(X+1, Y)
     &              + U(X, Y-1) + U(X, Y+1))
   10   CONTINUE
   20 CONTINUE
      DO 40 Y = 1, NY
        DO 30 X = 1, NX
          U(X, Y) = V(X, Y)
   30   CONTINUE
   40 CONTINUE
      END

      DOUBLE PRECISION FUNCTION HOTTST(NX, NY)
      IMPLICIT NONE
      INTEGER NX, NY, MAXNX, MAXNY, X, Y
      PARAMETER (MAXNX = 128, MAXNY = 64)
      DOUBLE PRECISION U(0:MAXNX+1, 0:MAXNY+1)
      DOUBLE PRECISION V(0:MAXNX+1, 0:MAXNY+1)
      COMMON /PLATE/ U, V
      HOTTST = 0
      DO 20 Y = 1, NY
        DO 10 X = 1, NX
          HOTTST = MAX(HOTTST, U(X, Y))
   10   CONTINUE
   20 CONTINUE
      END

C     The eigenvector at a cell of this strip.
      DOUBLE PRECISION FUNCTION MODE(X, Y, NX, NY, RANK, NRANKS)
      IMPLICIT NONE
      INTEGER X, Y, NX, NY, RANK, NRANKS
      DOUBLE PRECISION PI
      PI = ACOS(-1D0)
      MODE = SIN(PI * X / (NX + 1))
     &       * SIN(PI * (DBLE(NY) * RANK + Y) / (DBLE(NY) * NRANKS + 1))
      END

      SUBROUTINE START(NX, NY, RANK, NRANKS)
      IMPLICIT NONE
      INTEGER NX, NY, RANK, NRANKS, MAXNX, MAXNY, X, Y
      PARAMETER (MAXNX = 128, MAXNY = 64)
      DOUBLE PRECISION U(0:MAXNX+1, 0:MAXNY+1)
      DOUBLE PRECISION V(0:MAXNX+1, 0:MAXNY+1)
      COMMON /PLATE/ U, V
      DOUBLE PRECISION MODE
      EXTERNAL MODE
      DO 20 Y = 0, NY + 1
        DO 10 X = 0, NX + 1
          U(X, Y) = 0
          IF (X .GE. 1 .AND. X .LE. NX .AND. Y .GE. 1 .AND. Y .LE. NY)
     &      U(X, Y) = MODE(X, Y, NX, NY, RANK, NRANKS)
   10   CONTINUE
   20 CONTINUE
      END

C     Counts the cells whose temperature is not what it must be.
      INTEGER FUNCTION CHECK(NX, NY, RANK, NRANKS, STEPS)
      IMPLICIT NONE
      INTEGER NX, NY, RANK, NRANKS, STEPS, MAXNX, MAXNY, X, Y
      PARAMETER (MAXNX = 128, MAXNY = 64)
      DOUBLE PRECISION U(0:MAXNX+1, 0:MAXNY+1)
      DOUBLE PRECISION V(0:MAXNX+1, 0:MAXNY+1)
      COMMON /PLATE/ U, V
      DOUBLE PRECISION MODE, DECAY, PI
      EXTERNAL MODE
      PI = ACOS(-1D0)
      DECAY = 0.2D0 * (1 + 2 * COS(PI / (NX + 1))
     &        + 2 * COS(PI / (DBLE(NY) * NRANKS + 1)))
      CHECK = 0
      DO 20 Y = 1, NY
        DO 10 X = 1, NX
          IF (ABS(U(X, Y) - DECAY**STEPS
     &        * MODE(X, Y, NX, NY, RANK, NRANKS)) .GT. 1D-9)
     &      CHECK = CHECK + 1
   10   CONTINUE
   20 CONTINUE
      END

C     The number behind NAME on the command line.
      INTEGER FUNCTION OPTION(NAME, PRESET)
      IMPLICIT NONE
      CHARACTER*(*) NAME
      CHARACTER*32 TEXT
      INTEGER PRESET, I
      OPTION = PRESET
      DO 10 I = 1, IARGC() - 1, 2
        CALL GETARG(I, TEXT)
        IF (TEXT .EQ. NAME) THEN
          CALL GETARG(I + 1, TEXT)
          READ (TEXT, *) OPTION
        END IF
   10 CONTINUE
      END
