/** A conversation that contains a searched text. */
export interface ConversationMatch {
  conversationId: string
  /** The words around the first match in its messages; null when only the title matches. */
  excerpt: string | null
}
