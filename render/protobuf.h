/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Messages of Protocol Buffers, written field by field into a GByteArray
 * (https://protobuf.dev/programming-guides/encoding/). Fields of value 0 are left out, as proto3
 * has it; those of a oneof or in a packed list are not.
 */

void protobuf_put_varint(GByteArray *message, uint64_t value);
/* An integer or bool; int64 fields take their two's complement. */
void protobuf_put_number(GByteArray *message, uint32_t field, uint64_t value);
/* A string, bytes, a message or a packed list. */
void protobuf_put_bytes(GByteArray *message, uint32_t field, const void *data, size_t n);
void protobuf_put_message(GByteArray *message, uint32_t field, const GByteArray *part);
