/**
 * The largest body, as the setting has it now: Fastify's own limit is fixed when it starts, so it
 * stands at the most a setting can be, and this hook refuses what is above the present one.
 */
import { Transform, type Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'

/** A body that announces its length is refused unread; one that does not is counted as it comes. */
export function limitBody(
  { headers }: FastifyRequest,
  payload: Readable,
  {
    limitBytes,
    done,
  }: { limitBytes: number; done: (error: Error | null, body?: Readable) => void },
): void {
  if (Number(headers['content-length']) > limitBytes) {
    return done(isJson(headers['content-type']) ? tooLarge() : notJson())
  }
  // Node passes on no more than a length announces.
  if (headers['transfer-encoding'] === undefined) return done(null, payload)
  return done(null, payload.pipe(counter(limitBytes)))
}

function isJson(contentType = ''): boolean {
  return /^\s*application\/json\b/i.test(contentType)
}

function counter(limitBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      done(bytes > limitBytes ? tooLarge() : null, piece)
    },
  })
}

/** Checked before the size; Fastify would look at it only after this hook. */
function notJson(): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    'Send the body as "content-type: application/json".',
    { headers: { connection: 'close' } },
  )
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'body_too_large',
    'The body is larger than the limit, which is a setting.',
    // The rest of it is not waited for.
    { headers: { connection: 'close' } },
  )
}
