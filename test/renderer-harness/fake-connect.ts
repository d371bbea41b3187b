import {
  placeholderKey,
  type ConnectableTool,
  type ConnectionStatus,
  type ListedTool,
  type SampleCalls,
} from '../../src/shared/app/connect.ts'
import { Refusal, type HandlersOf } from './handlers.ts'

const claudeCode: ConnectableTool = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'command',
  documentation: 'https://code.claude.com/docs/en/llm-gateway-connect',
  canConnect: true,
  door: 'messages',
  verified: 'run',
  writesFiles: true,
  canRun: true,
  written: null,
}
const unreachable: ListedTool = {
  id: 'cursor',
  name: 'Cursor',
  kind: 'app',
  documentation: 'https://cursor.com/docs',
  canConnect: false,
  obstacle: 'Cursor sends requests from its own servers, which cannot reach this computer.',
}
const note = 'Claude Code keeps its own names of models; the router decides which model answers.'
const settingsFile = '/home/user/.claude/settings.json'
const caFile = '/home/user/.config/Modelport/tls/ca.pem'

/** One tool that writes a file; its first request arrives with the second `connect:status`. */
export function connectHandlers(): HandlersOf<`connect:${string}`> {
  let tool = claudeCode
  let connections = 0
  let looks = 0
  return {
    'connect:tools': () => [tool, unreachable],
    'connect:start': ({ toolId, routerId }) => {
      if (toolId !== tool.id) throw new Refusal('invalid', 'This tool cannot be connected.')
      connections += 1
      looks = 0
      const baseUrl = routerUrl(routerId)
      const key = `mp_0123456789abcdefghijABCDEFGHIJab${String(connections).padStart(4, '0')}`
      return {
        id: `key_connection${connections}`,
        toolId,
        routerId,
        key,
        baseUrl,
        caFile,
        keyHint: `mp_…${key.slice(-4)}`,
        caBundleFile: caFile.replace('ca.pem', 'ca-bundle.pem'),
        snippets: [
          {
            title: 'Set the environment',
            language: 'sh',
            text: `export ANTHROPIC_BASE_URL=${baseUrl}\nexport ANTHROPIC_AUTH_TOKEN=${key}`,
          },
        ],
        files: [
          {
            path: settingsFile,
            isNew: false,
            diff: `--- ${settingsFile}\n+++ ${settingsFile}\n@@ -1,1 +1,5 @@\n-{}\n+{\n+  "env": {\n+    "ANTHROPIC_BASE_URL": "${baseUrl}"\n+  }\n+}\n`,
            problem: null,
          },
        ],
        runCommand: `modelport run ${toolId} --router ${routerId}`,
        notes: [note],
      }
    },
    'connect:activate': () => undefined,
    'connect:samples': ({ routerId }) => samplesOf(routerId),
    'connect:write': ({ id }) => {
      const written = { connectionId: id, routerId: 'router_1', atMs: 1, files: [settingsFile] }
      tool = { ...claudeCode, written }
      return { files: [{ path: settingsFile, backup: `${settingsFile}.backup` }] }
    },
    'connect:undo': () => {
      const { written } = tool
      if (written === null) throw new Refusal('not_found', 'Modelport has written no file.')
      tool = claudeCode
      return { files: written.files, connectionId: written.connectionId }
    },
    'connect:status': (): ConnectionStatus => {
      looks += 1
      return looks < 2 ? waiting : { first: request, last: request, problems: [] }
    },
    'connect:problems': () => [...waiting.problems],
  }
}

const routerUrl = (routerId: string) => `https://localhost:6778/api/router/${routerId}`

function samplesOf(routerId: string): SampleCalls {
  const baseUrl = `${routerUrl(routerId)}/v1`
  const setKey = {
    title: 'Set the key',
    language: 'sh' as const,
    text: `export MODELPORT_API_KEY=${placeholderKey}`,
  }
  const request = {
    title: 'Send a request',
    language: 'sh' as const,
    text: `curl --cacert ${caFile} \\\n  ${baseUrl}/chat/completions \\\n  -H "Authorization: Bearer $MODELPORT_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"messages": [{"role": "user", "content": "Hello"}]}'`,
  }
  const call = {
    title: 'Call the router',
    language: 'javascript' as const,
    text: `import OpenAI from 'openai'\n\nconst client = new OpenAI({\n  baseURL: '${baseUrl}',\n  apiKey: process.env.MODELPORT_API_KEY,\n})`,
  }
  return {
    baseUrl,
    tools: [
      { id: 'curl', name: 'curl', snippets: [setKey, request] },
      { id: 'openai-js', name: 'OpenAI SDK for JavaScript', snippets: [setKey, call] },
    ],
  }
}

const request = {
  id: 'request-1',
  startedAtMs: 1_764_000_000_000,
  status: 200,
  errorCode: null,
  modelUsed: 'openai:gpt-5',
  costUsd: 0.0042,
  latencyMs: 812,
  client: 'claude-cli/2.1.330 (external, cli)',
  tool: 'Claude Code',
}

const waiting: ConnectionStatus = {
  first: null,
  last: null,
  problems: [
    {
      kind: 'certificate_refused',
      client: null,
      tool: null,
      detail: 'connection reset',
      count: 3,
      lastMinute: 3,
      lastAtMs: 1_764_000_000_000,
      message: `A client refused Modelport’s certificate (connection reset). Let the tool trust ${caFile}, and use localhost instead of an IP address in its base URL.`,
    },
  ],
}
