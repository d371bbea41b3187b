import { create } from 'zustand'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'

/** The text of each question that is being edited, by id. It survives leaving the conversation; null once it is closed. */
export const useEditedQuestions = create<Readonly<Record<string, string | null>>>(() => ({}))

/** Opens the editor of a question; one that is open keeps its text. */
export function beginEdit({ id, text }: ConversationMessage): void {
  useEditedQuestions.setState((edited) => ({ [id]: edited[id] ?? text }))
}

export function setEdited(questionId: string, text: string | null): void {
  useEditedQuestions.setState({ [questionId]: text })
}

/**
 * Sends or saves an edited text. The editor closes only if that worked, because nothing else has the text.
 * @returns whether it worked
 */
export async function finishEdit(
  questionId: string,
  finish: (text: string) => Promise<boolean>,
): Promise<boolean> {
  const text = useEditedQuestions.getState()[questionId]?.trim() ?? ''
  const isDone = text !== '' && (await finish(text))
  if (isDone) setEdited(questionId, null)
  return isDone
}
