/* SPDX-License-Identifier: MIT */
#pragma once

/* The style sheet of reports (report.css), put into every page. */
extern const char report_style[];
