/** The wires, one line each. A wire's folder contains everything about it. */
import type { Wire } from '../providers/wire.ts'
import { anthropic } from './anthropic/upstream/anthropic.ts'
import { google } from './google/upstream/google.ts'
import { azure } from './azure/upstream/azure.ts'
import { bedrock } from './bedrock/upstream/bedrock.ts'
import { ollama } from './ollama/upstream/ollama.ts'
import { googleVertex } from './google/upstream/vertex.ts'
import { openAiChat } from './openai-chat/openai-chat.ts'
import { openAiResponses } from './openai-responses/upstream/openai-responses.ts'
import { openAi } from './openai-responses/upstream/openai.ts'

export const wires = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  openai: openAi,
  anthropic,
  google,
  azure,
  bedrock,
  ollama,
  'google-vertex': googleVertex,
} as const satisfies Record<string, Wire>

export type WireName = keyof typeof wires
