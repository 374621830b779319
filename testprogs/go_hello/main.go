// go_hello: a static Go program. Its runtime starts threads, installs handlers for nearly every
// signal on small alternate stacks, reads the auxiliary vector and turns a fault at address 0 into a
// panic, so it leans on much of what the kernel sets up for a program.
package main

import (
	"fmt"
	"os"
	"sort"
	"sync"
)

func recoverFromNil() (message string) {
	defer func() { message = fmt.Sprint(recover()) }()
	var pointer *int
	return fmt.Sprint(*pointer)
}

func main() {
	fmt.Println("hello from Go,", len(os.Args)-1, "arguments:", os.Args[1:])

	var group sync.WaitGroup
	var lock sync.Mutex
	squares := map[int]int{}
	for i := 0; i < 100; i++ {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			garbage := make([]byte, 1<<16)
			garbage[n] = byte(n)
			lock.Lock()
			squares[n] = n*n + int(garbage[n]) - n
			lock.Unlock()
		}(i)
	}
	group.Wait()

	keys := make([]int, 0, len(squares))
	sum := 0
	for key, value := range squares {
		keys = append(keys, key)
		sum += value
	}
	sort.Ints(keys)
	fmt.Println(len(keys), "squares, sum", sum, "last", keys[len(keys)-1])
	fmt.Println("recovered:", recoverFromNil())
	os.Exit(5)
}
