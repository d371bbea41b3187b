/** What each example prints against `startServiceForSdk`; the same for both languages where names match. */

const figures = String.raw`fake:fake-model: \$[\d.e-]+`

export const exampleOutputs: Readonly<Record<string, RegExp>> = {
  chat: new RegExp(String.raw`^Paris\.\n${figures}, [\d.]+ ms\n$`),
  'chat.cjs': /^Paris\.\n$/,
  stream: new RegExp(String.raw`^Paris\.\n${figures}\n$`),
  agent: /^Paris\.\n1 steps, \$[\d.e-]+\n$/,
  'agent-stream': /^Paris\.\nModels: fake:fake-model\n$/,
  errors: /^404 model_not_found: .+no-such-model.+\n$/,
  abort: /^Cancelled\n$/,
  explain: /^.+\nfake:fake-model \d+\nfake:fake-model answered [\d.]+ ms\n$/,
  conversation: /^true\n\[.*'auto', 'fake:fake-model', 'agent:summarise'.*\]\n$/s,
  typed: /^fake:fake-model [\d.e-]+\n1\npriority\n$/,
  async: /^Paris\.\n$/,
}

/** By the file's whole name, else by its name without the extension. */
export function outputOf(fileName: string): RegExp | undefined {
  return exampleOutputs[fileName] ?? exampleOutputs[fileName.replace(/\.\w+$/, '')]
}
