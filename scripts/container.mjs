// Builds the image, runs it as compose.yaml's stack, and removes everything again.
// Needs Debian and root.
import { run } from './prepare.mjs';

run(['scripts/container-steps.mjs'], { folders: [] });
