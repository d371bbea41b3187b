/** The registry of tools, in the order in which they are shown. */
import type { Obstacle, Tool } from '../tool.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { curl } from './curl.ts'

export const tools: readonly Tool[] = [claudeCode, codex, curl]

export const obstacles: readonly Obstacle[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    kind: 'app',
    documentation: 'https://cursor.com/docs/settings/api-keys',
    obstacle:
      'Cursor sends requests to models from its own servers, which cannot reach this computer. It also refuses base URLs on localhost.',
  },
]
