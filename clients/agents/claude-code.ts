import { join } from 'node:path'
import { agentClient } from '../agent-client.ts'

/** The program is in the package of the platform. */
const binary = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`

export const claudeCode = agentClient({
  id: 'claude-code',
  name: 'Claude Code',
  packages: { from: 'npm', versions: { [binary]: '2.1.330' } },
  doors: ['messages'],
  errors: () => ({
    401: /API Error: 401 The API key is missing or invalid/,
    404: /issue with the selected model \(no-such-model\)/,
    429: /This router has served its 1 requests for today/,
    503: /API Error: 503 No model of this router could answer/,
  }),
  prepare: async ({ routerUrl, apiKey, model, prompt, folder }, { bed, installed }) => ({
    command: join(installed, 'node_modules', ...binary.split('/'), 'claude'),
    args: ['-p', prompt, '--model', model, '--allowedTools', 'Read', 'Edit', 'Bash'],
    cwd: folder,
    env: {
      ANTHROPIC_BASE_URL: routerUrl,
      ANTHROPIC_API_KEY: apiKey,
      NODE_EXTRA_CA_CERTS: bed.caFile,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
})
