import { create } from 'zustand'

/** The questions whose text is being edited, by id. */
export const useEditedQuestions = create<Readonly<Record<string, boolean>>>(() => ({}))

export function setEdited(questionId: string, isEdited: boolean): void {
  useEditedQuestions.setState({ [questionId]: isEdited })
}
