import type { ChatReader } from './reader.ts'
import { chatgpt } from './chatgpt.ts'
import { cherry } from './cherry.ts'
import { claude } from './claude.ts'
import { jan } from './jan.ts'
import { librechat } from './librechat.ts'
import { lmStudio } from './lm-studio.ts'
import { modelport } from './modelport.ts'
import { openWebui } from './open-webui.ts'
import { openaiLines } from './openai-lines.ts'

/** Each program's reader. The first that claims an export reads it. */
export const chatReaders: readonly ChatReader[] = [
  modelport,
  chatgpt,
  claude,
  openWebui,
  lmStudio,
  cherry,
  jan,
  librechat,
  openaiLines,
]
