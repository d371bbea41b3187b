/** Requests to the running service over its own port, with an API key, as any other program sends them. */
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { z } from 'zod'
import packageFile from '../../../package.json' with { type: 'json' }
import { openConnection } from '../../shared/app/open-connection.ts'
import { CommandFailed } from './cli.ts'

/** Where a router answers, and the key for it. */
export interface OwnEndpoint {
  /** `https://localhost:6778/api/router/router_…/v1`. */
  baseUrl: string
  /** The authority of this installation: only it can have signed the service's certificate. */
  caFile: string
  apiKey: string
}

export interface ChatPost {
  body: object
  headers?: Record<string, string>
  signal: AbortSignal
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) })

/**
 * Sends a chat request.
 * @throws CommandFailed with the service's own words, or when it does not run
 */
export async function postChat(
  { baseUrl, caFile, apiKey }: OwnEndpoint,
  { body, headers, signal }: ChatPost,
): Promise<unknown> {
  const options = {
    method: 'POST',
    signal,
    headers: {
      ...headers,
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'user-agent': `Modelport/MCP ${packageFile.version}`,
    },
  }
  const answered = await new Promise<{ status: number | undefined; text: string }>(
    (resolve, reject) => {
      const sent = openConnection('ownPort', null, () =>
        // Read each time: a new authority replaces an old one while the assistant runs.
        request(
          `${baseUrl}/chat/completions`,
          { ...options, ca: readFileSync(caFile) },
          (response) => {
            textOf(response).then((text) => resolve({ status: response.statusCode, text }), reject)
          },
        ),
      )
      sent.once('error', reject)
      sent.end(JSON.stringify(body))
    },
  ).catch((cause: Error) => {
    signal.throwIfAborted()
    const message = `Modelport does not answer at ${baseUrl} (${cause.message}). Start the app, or: modelport serve`
    throw new CommandFailed(message, { cause })
  })
  const answer: unknown = JSON.parse(answered.text)
  if (answered.status === 200) return answer
  throw new CommandFailed(errorSchema.parse(answer).error.message)
}
