/** The registry of tools, in the order in which they are shown: Modelport's own libraries first. */
import type { Obstacle, Tool } from '../tool.ts'
import { aider } from './aider.ts'
import { anthropicJavaScript, anthropicPython } from './anthropic-sdk.ts'
import { claudeCodeMcp, claudeDesktop, codexMcp, cursorMcp, zedMcp } from './assistants.ts'
import { claudeCode } from './claude-code.ts'
import { clineCli } from './cline-cli.ts'
import { codex } from './codex.ts'
import { containers } from './containers.ts'
import { continueTool } from './continue.ts'
import { curl } from './curl.ts'
import {
  langchainJavaScript,
  langchainPython,
  litellm,
  llamaIndex,
  vercelAiSdk,
} from './frameworks.ts'
import { geminiCli } from './gemini-cli.ts'
import { llm } from './llm.ts'
import { modelportJavaScript, modelportPython } from './modelport-sdk.ts'
import { openaiJavaScript, openaiPython } from './openai-sdk.ts'
import { kilo, opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'
import { libreChat, n8n, openWebUi } from './servers.ts'
import { cline, rooCode } from './vscode-extensions.ts'
import { zed } from './zed.ts'

export const tools: readonly Tool[] = [
  modelportJavaScript,
  modelportPython,
  claudeCode,
  codex,
  opencode,
  geminiCli,
  qwenCode,
  clineCli,
  continueTool,
  pi,
  kilo,
  aider,
  llm,
  curl,
  openaiJavaScript,
  openaiPython,
  anthropicJavaScript,
  anthropicPython,
  vercelAiSdk,
  langchainJavaScript,
  langchainPython,
  llamaIndex,
  litellm,
  cline,
  rooCode,
  zed,
  claudeDesktop,
  claudeCodeMcp,
  codexMcp,
  cursorMcp,
  zedMcp,
  openWebUi,
  libreChat,
  n8n,
  containers,
]

export const obstacles: readonly Obstacle[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    kind: 'app',
    documentation: 'https://cursor.com/docs/settings/api-keys',
    obstacle:
      'Cursor sends requests to models from its own servers, which cannot reach this computer.',
  },
]
