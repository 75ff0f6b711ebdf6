/* SPDX-License-Identifier: MIT */
/* usage: beat-scene NAME [SEED]: prints the scene as `perf script` would. */

#include "tests/beat-scene.h"

int main(int argc, char **argv)
{
	g_autofree Scene *scene = g_new0(Scene, 1);

	if (argc < 2 || !scene_by_name(argv[1], scene)) {
		fprintf(stderr, "beat-scene: no such scene\n");
		return 2;
	}
	scene->seed = argc > 2 ? g_ascii_strtoull(argv[2], NULL, 10) : 1;
	scene_print(scene, stdout);
	return 0;
}
