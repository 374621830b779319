package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println("arguments:", os.Args[1:])
	if len(os.Args) > 1 && os.Args[1] == "fail" {
		os.Exit(3)
	}
}
