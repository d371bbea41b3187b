/** Every client of docs/clients.md, in the table's order. */
import type { Client } from './client.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { openCode } from './agents/opencode.ts'
import { aiSdk } from './sdk/ai-sdk.ts'
import { anthropicNode } from './sdk/anthropic-node.ts'
import { anthropicPython } from './sdk/anthropic-python.ts'
import { langChainNode } from './sdk/langchain-node.ts'
import { langChainPython } from './sdk/langchain-python.ts'
import { liteLlm } from './sdk/litellm.ts'
import { llamaIndex } from './sdk/llama-index.ts'
import { llm } from './sdk/llm.ts'
import { openAiNode } from './sdk/openai-node.ts'
import { openAiPython } from './sdk/openai-python.ts'
import { promptfoo } from './sdk/promptfoo.ts'

export const allClients: readonly Client[] = [
  openAiNode,
  openAiPython,
  anthropicNode,
  anthropicPython,
  aiSdk,
  langChainNode,
  langChainPython,
  llamaIndex,
  liteLlm,
  llm,
  promptfoo,
  codex,
  claudeCode,
  openCode,
]
