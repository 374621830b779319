"""What a test's documents and programs are shown with: a system that gives no huge page unasked."""
import ctypes

PR_SET_THP_DISABLE = 41


def without_huge_pages():
    """Of this process and those that it starts (prctl(2))."""
    ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
