import { useEffect, useRef, useState } from 'react'
import type { ConversationMatch } from '../../../../shared/chat/conversations.ts'
import { call, toCallError, type CallError } from '../../stores/client.ts'

interface Found {
  /** The text that was searched for, which may be the one before. */
  foundText: string
  matches: readonly ConversationMatch[] | null
  isIndexing: boolean
  error: CallError | null
}

const none: Found = { foundText: '', matches: null, isIndexing: false, error: null }

/** The conversations that contain the text; no matches before the first answer, and for an empty text. */
export function useConversationSearch(text: string): Found {
  const [found, setFound] = useState<Found | null>(null)
  const last = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    if (text === '') return
    const stop = new AbortController()
    // One at a time: of what was typed during a search, only the last text is searched for.
    const searchAfter = async (earlier: Promise<void>) => {
      await earlier
      if (stop.signal.aborted) return
      const result = await search(text)
      setFound((shown) => (stop.signal.aborted ? shown : result))
    }
    last.current = searchAfter(last.current)
    return () => stop.abort()
  }, [text])
  return text === '' || found === null ? none : found
}

function search(text: string): Promise<Found> {
  return call('conversations:search', { text }).then(
    ({ matches, isIndexing }) => ({ foundText: text, matches, isIndexing, error: null }),
    (error: unknown) => ({
      ...none,
      foundText: text,
      error: toCallError(error),
    }),
  )
}
