/** What each example prints against `startServiceForSdk`, the same in both languages. */

const figures = String.raw`fake:fake-model: \$[\d.e-]+`

const exampleOutputs: Readonly<Record<string, RegExp>> = {
  chat: new RegExp(String.raw`^Paris\.\n${figures}, [\d.]+ ms\n$`),
  'chat.cjs': /^Paris\.\n$/,
  stream: new RegExp(String.raw`^Paris\.\n${figures}\n$`),
  agent: /^Paris\.\n1 steps, \$[\d.e-]+\n$/,
  'agent-stream': /^Paris\.\nModels: fake:fake-model\n$/,
  errors: /^model_not_found: .+no-such-model.+\n$/,
  abort: /^Cancelled\n$/,
  explain: /^.+\nfake:fake-model \d+\n(?:fake:broken \d+\n)?fake:fake-model answered [\d.]+ ms\n$/,
  conversation:
    /^true\n\[\s*(["'](auto|fake:fake-model|fake:broken|vectors:small|agent:summarise)["'],?\s*){5}\]\n$/i,
  typed: /^fake:fake-model [\d.e-]+\n1\npriority\n$/,
  responses: /^Paris\. fake:fake-model\nParis\. fake:fake-model\n$/,
  embeddings: /^2 vectors of \d+\nvectors:small\n$/,
  async: /^Paris\.\n$/,
}

/** By the file's whole name, else by its name without the extension; Python's names have underscores. */
export function outputOf(fileName: string): RegExp | undefined {
  const name = fileName.replace(/\.\w+$/, '').replaceAll('_', '-')
  return exampleOutputs[fileName] ?? exampleOutputs[name]
}
