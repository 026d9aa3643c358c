package main

func manytools() {}
