import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentClient } from '../agent-client.ts'

export const codex = agentClient({
  id: 'codex',
  name: 'Codex CLI',
  packages: { from: 'npm', versions: { '@openai/codex': '0.169.0' } },
  doors: ['responses'],
  errors: () => ({
    401: /unexpected status 401 Unauthorized: The API key is missing or invalid/,
    404: /This router does not have the model "no-such-model"/,
    429: /hit your usage limit\. Try again at/,
    503: /unexpected status 503 Service Unavailable: No model of this router could answer/,
  }),
  prepare: async ({ routerUrl, apiKey, model, prompt, folder, home }, { bed, installed }) => {
    const codexHome = join(home, '.codex')
    await mkdir(codexHome)
    await writeFile(join(codexHome, 'config.toml'), configuration(routerUrl, model))
    // The scratch folder is the sandbox: containers often lack what Codex's own one needs.
    const unattended = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
    return {
      command: join(installed, 'node_modules', '.bin', 'codex'),
      args: ['exec', ...unattended, prompt],
      cwd: folder,
      env: { CODEX_HOME: codexHome, MODELPORT_KEY: apiKey, CODEX_CA_CERTIFICATE: bed.caFile },
    }
  },
})

function configuration(routerUrl: string, model: string): string {
  return `model = "${model}"
model_provider = "modelport"
[model_providers.modelport]
name = "Modelport"
base_url = "${routerUrl}/v1"
env_key = "MODELPORT_KEY"
wire_api = "responses"
`
}
