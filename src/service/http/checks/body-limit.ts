/** Limits a body without a content-length while it arrives. admission.ts checks announced lengths. */
import { Transform, type Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { bodyTooLarge } from './admission.ts'

/** @returns the body to parse; it fails with `body_too_large` above `limitBytes` */
export function limitBody(
  { headers }: FastifyRequest,
  payload: Readable,
  limitBytes: number,
): Readable {
  // Node never delivers more bytes than the content-length announces.
  if (headers['transfer-encoding'] === undefined) return payload
  return payload.pipe(counter(limitBytes))
}

function counter(limitBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      done(bytes > limitBytes ? bodyTooLarge() : null, piece)
    },
  })
}
