/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "render/caption.h"
#include "render/exporter.h"

/*
 * What pages of one file have in common: the head, which lets nothing be loaded, up to the headline
 * of the body. Texts of the caption are any bytes. The page is ended by the caller.
 */
void html_page_begin(FILE *out, const Caption *caption, Layout layout);
