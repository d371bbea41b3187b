import { join } from 'node:path'
import { agentClient } from '../agent-client.ts'

/** The program is in the package of the platform. */
const binary = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`

export const claudeCode = agentClient({
  id: 'claude-code',
  name: 'Claude Code',
  packages: { from: 'npm', versions: { [binary]: '2.1.330' } },
  doors: ['messages'],
  prepare: async ({ routerUrl, apiKey, prompt, folder }, { bed, installed }) => ({
    command: join(installed, 'node_modules', ...binary.split('/'), 'claude'),
    args: ['-p', prompt, '--model', 'auto', '--allowedTools', 'Read', 'Edit', 'Bash'],
    cwd: folder,
    env: {
      ANTHROPIC_BASE_URL: routerUrl,
      ANTHROPIC_API_KEY: apiKey,
      NODE_EXTRA_CA_CERTS: bed.caFile,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
})
