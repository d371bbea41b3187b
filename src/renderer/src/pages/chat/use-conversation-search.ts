import { useEffect, useState } from 'react'
import type { ConversationMatch } from '../../../../shared/chat/conversations.ts'
import { call, toCallError, type CallError } from '../../stores/client.ts'

/** Typing does not search for each letter. */
const pauseMs = 150

interface Found {
  text: string
  matches: readonly ConversationMatch[] | null
  isIndexing: boolean
  error: CallError | null
}

/** The conversations that contain the text; no matches before the first answer, and for an empty text. */
export function useConversationSearch(text: string): Omit<Found, 'text'> {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    if (text === '') return
    let isWanted = true
    const timer = setTimeout(async () => {
      const result = await call('conversations:search', { text }).then(
        ({ matches, isIndexing }) => ({ text, matches, isIndexing, error: null }),
        (error: unknown) => ({ text, matches: null, isIndexing: false, error: toCallError(error) }),
      )
      if (isWanted) setFound(result)
    }, pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])
  return text === '' || found === null ? { matches: null, isIndexing: false, error: null } : found
}
