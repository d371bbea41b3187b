import { create } from 'zustand'
import type { RequestContent } from '../../../shared/requests/content.ts'
import { call, toCallError, type CallError } from './client.ts'

interface RequestTexts {
  /** The request they belong to; null until loaded. */
  id: string | null
  /** Null when its router does not store them. */
  content: RequestContent | null
  error: CallError | null
}

const nothing: RequestTexts = { id: null, content: null, error: null }

/** The stored texts of the request in the inspector. */
export const useRequestTexts = create<RequestTexts>(() => nothing)

let wanted: string | null = null

/** Loads the texts of a request; the answer for an earlier one is dropped. Never rejects. */
export async function loadRequestTexts(id: string): Promise<void> {
  wanted = id
  useRequestTexts.setState(nothing)
  const texts = await call('requests:content', { id }).then(
    (content): RequestTexts => ({ id, content, error: null }),
    (error: unknown): RequestTexts => ({ id, content: null, error: toCallError(error) }),
  )
  if (wanted === id) useRequestTexts.setState(texts)
}
