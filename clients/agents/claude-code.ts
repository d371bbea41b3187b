import { join } from 'node:path'
import { agentClient } from '../agent-client.ts'

/** The program is in the package of the platform. */
const binary = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`
const tools = ['Read', 'Edit', 'Bash', 'Agent', 'Task']

export const claudeCode = agentClient({
  id: 'claude-code',
  name: 'Claude Code',
  packages: { from: 'npm', versions: { [binary]: '2.1.332' } },
  doors: ['messages'],
  errors: () => ({
    401: /API Error: 401 The API key is missing or invalid/,
    404: /issue with the selected model \(no-such-model\)/,
    429: /This router has served its 1 requests for today/,
    503: /API Error: 503 No model of this router could answer/,
  }),
  compactCommand: '/compact',
  prepare: async (job, { bed, installed }) => {
    const { routerUrl, apiKey, model, prompt, folder, isContinued } = job
    const before = isContinued === true ? ['--continue'] : []
    return {
      command: join(installed, 'node_modules', ...binary.split('/'), 'claude'),
      args: [...before, '-p', prompt, '--model', model, '--allowedTools', ...tools],
      cwd: folder,
      env: {
        ANTHROPIC_BASE_URL: routerUrl,
        ANTHROPIC_API_KEY: apiKey,
        NODE_EXTRA_CA_CERTS: bed.caFile,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
      },
    }
  },
})
