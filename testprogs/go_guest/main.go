// go_guest: what the Go runtime does with threads, signals, memory and processes, one part a word.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Thousands of goroutines, a channel and a mutex.
func goroutines() {
	var wait sync.WaitGroup
	var lock sync.Mutex
	results := make(chan int, 16)
	sum := 0
	for i := 0; i < 5000; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			lock.Lock()
			sum += i
			lock.Unlock()
			if i%1000 == 0 {
				results <- i
			}
		}(i)
	}
	wait.Wait()
	close(results)
	var found []int
	for i := range results {
		found = append(found, i)
	}
	sort.Ints(found)
	fmt.Println(sum, found)
}

// Garbage, collected while other threads allocate.
func garbage() {
	var wait sync.WaitGroup
	totals := make([]int, 4)
	for t := range totals {
		wait.Add(1)
		go func(t int) {
			defer wait.Done()
			keep := map[int][]byte{}
			for i := 0; i < 2000; i++ {
				keep[i%100] = make([]byte, 1024+i)
				totals[t] += len(keep[i%100])
				if i%500 == 0 {
					runtime.GC()
				}
			}
		}(t)
	}
	wait.Wait()
	fmt.Println(totals)
}

// Itself by its own name, and programs that do not exist.
func processes() {
	self, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := exec.Command(self, "say", "from the child").CombinedOutput()
	fmt.Printf("%s%v\n", out, err)
	_, err = exec.Command(self, "status").Output()
	fmt.Println(err)
	_, err = exec.Command("/nonexistent/program").Output()
	fmt.Println(err)
	command := exec.Command("cat")
	command.Stdin = strings.NewReader("through a pipe\n")
	out, err = command.Output()
	fmt.Printf("%s%v\n", out, err)
}

func signals() {
	received := make(chan os.Signal, 4)
	signal.Notify(received, syscall.SIGUSR1, syscall.SIGHUP)
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGHUP, syscall.SIGUSR1} {
		syscall.Kill(os.Getpid(), s)
		fmt.Println(<-received)
	}
}

type node struct{ next *node }

// A nil pointer, a bad index, a stack that has to grow.
func faults() {
	for i := 0; i < 100; i++ {
		func() {
			defer func() {
				if r := recover(); i == 0 || r == nil {
					fmt.Println("recovered:", r)
				}
			}()
			var n *node
			n.next = n
		}()
	}
	var deep func(n int) int
	deep = func(n int) int {
		if n == 0 {
			return 0
		}
		return 1 + deep(n-1)
	}
	fmt.Println(deep(1000000))
}

func sockets() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			fmt.Fprintf(connection, "hello over TCP\n")
			connection.Close()
		}
	}()
	connection, err := net.DialTimeout("tcp", listener.Addr().String(), 5*time.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	buffer := make([]byte, 64)
	n, _ := connection.Read(buffer)
	fmt.Print(string(buffer[:n]))
}

func timers() {
	ticker := time.NewTicker(time.Millisecond)
	for i := 0; i < 5; i++ {
		<-ticker.C
	}
	select {
	case <-time.After(2 * time.Millisecond):
		fmt.Println("time is over")
	}
}

func main() {
	parts := map[string]func(){
		"goroutines": goroutines, "garbage": garbage, "processes": processes,
		"signals": signals, "faults": faults, "sockets": sockets, "timers": timers,
		"say":    func() { fmt.Println(strings.Join(os.Args[2:], " ")) },
		"status": func() { os.Exit(9) },
		"die":    func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	}
	parts[os.Args[1]]()
}
