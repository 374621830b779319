package main

import (
	"os"
	"testing"
)

func TestSum(t *testing.T) {
	if sum([]int{1, 2, 3}) != 6 {
		t.Fatal("1 + 2 + 3 is not 6")
	}
}

func TestEnvironment(t *testing.T) {
	if os.Getenv("MUST_FAIL") != "" {
		t.Fatal("asked to fail")
	}
}

func TestParallel(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			big := make([]int, 1<<18)
			for i := range big {
				big[i] = i
			}
			if sum(big) != (1<<18)*(1<<18-1)/2 {
				t.Fatal("wrong sum")
			}
		})
	}
}

func BenchmarkSum(b *testing.B) {
	numbers := make([]int, 1000)
	for i := 0; i < b.N; i++ {
		sum(numbers)
	}
}
