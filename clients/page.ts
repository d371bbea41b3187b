/** docs/clients.md: the results of the last run that was saved. */
import { capabilities, type Door } from './check.ts'
import { cell, failuresOf, versionOf, type Row } from './table.ts'

const doorNames: Readonly<Record<Door, string>> = {
  chat: '`/v1/chat/completions`',
  responses: '`/v1/responses`',
  messages: '`/v1/messages`',
}

const titles = ['Client', 'Version', 'Door', ...capabilities.map(capitalised)]

export function page(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) =>
    row.client.doors.map((door) => [
      row.client.name,
      versionOf(row.client),
      doorNames[door],
      ...capabilities.map((capability) => cell(row, door, capability)),
    ]),
  )
  const failures = rows.flatMap((row) =>
    row.client.doors.flatMap((door) =>
      failuresOf(row, door).map((failure) => `- ${row.client.name}, ${door}: ${failure}`),
    ),
  )
  const table = [titles, titles.map(() => '---'), ...lines].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  const parts = [introduction, table.join('\n'), failures.join('\n'), notes]
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

const introduction = `# Clients

\`npm run clients\` installs these clients, unmodified, from npm and PyPI, and runs each against a running service over
\`https://localhost\`. Each trusts the certificate in its own documented way. \`npm run clients -- NAME\` runs one of them,
and \`--write\` saves the table below.

| Column | What is checked |
| --- | --- |
| Plain, Stream | an answer in one piece, and in pieces |
| Abort | the client leaves at the first piece: the upstream request is aborted, the ledger has status 499 |
| Tools | a tool call, its result, and an answer to it |
| Structured | an answer that fits a JSON schema |
| Errors | a wrong key (401), an unknown model (404), a used-up daily limit (429) and a model out of order (503) arrive as the client's own error types; a coding agent ends and prints what it means |
| Turn | a coding agent reads a file, edits it, runs a command and ends without an error |

Plain, Stream and Abort run on the built-in model and three routers with upstreams of the test suite: OpenAI, Anthropic,
and a mixed router that changes the vendor at every step of a conversation. Tools, Structured and Turn run on the three
routers. ✓ means passed everywhere; ✗ names where it failed, and – means that it does not apply.`

const notes = `## Notes

- Coding agents make a turn and are interrupted once. Their prompts do not fit into the built-in model's context.
- opencode waits for the whole \`retry-after\` before each of its attempts and shows nothing meanwhile. At chat completions
  and Messages that is until midnight UTC for a used-up daily limit, so its Errors are a wrong key and an unknown model there.
- LlamaIndex's own classes for OpenAI and Anthropic refuse model names that they do not know: use \`OpenAILike\`.
- LiteLLM streams \`/v1/responses\` only for models in its table: call \`litellm.register_model\` for \`auto\`. Calls with
  tools need the extra \`litellm[mcp]\`.
- promptfoo repeats a refused request after its \`retry-after\`, which is hours for a daily limit. The variable
  \`PROMPTFOO_DISABLE_ADAPTIVE_SCHEDULER=true\` turns that off.
- llm sends a key of its own unless its model file has \`api_key_name\`.`
