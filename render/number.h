/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Integers as decimal text, without printf: a picture of a million frames writes several million
 * of them. No locale takes part.
 */

/* Bytes that any of these texts needs at most: 20 digits, 6 commas, a point, a NUL. */
#define NUMBER_SIZE 32

/* Puts the digits of `value` and a NUL into `buffer`; returns how many digits. */
size_t number_format(char buffer[NUMBER_SIZE], uint64_t value);

/* As number_format, with commas: "1,234,567". */
size_t number_format_grouped(char buffer[NUMBER_SIZE], uint64_t value);

/* "12.30" of 1230 hundredths. */
size_t number_format_hundredths(char buffer[NUMBER_SIZE], uint64_t hundredths);

void number_write(FILE *out, uint64_t value);
void number_write_grouped(FILE *out, uint64_t value);

/* 100 * part / whole in hundredths, rounded; 0 where whole is 0. `part` must not exceed it. */
uint64_t number_percent(uint64_t part, uint64_t whole);
