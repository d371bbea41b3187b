/** Draws the real window over a pretended service; `?scene=` chooses what that service has. */
// First, as in the window itself: the schemas must not probe for eval.
import '../../src/renderer/src/zod-without-eval.ts'
import { createFakeBridge } from './fake-bridge.ts'
import { sceneNamed } from './scenes.ts'

const scene = sceneNamed(new URLSearchParams(location.search).get('scene'))
Object.assign(window, { modelport: createFakeBridge(scene, window) })
void import('../../src/renderer/src/main.tsx')
