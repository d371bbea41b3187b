import { create } from 'zustand'

/**
 * Unsaved changes of one kind of form, by the id of what they change. They survive leaving the page; a save or a
 * discard removes them.
 */
export function createDrafts<Draft>() {
  const useDrafts = create<Readonly<Record<string, Draft>>>(() => ({}))
  return {
    useDrafts,
    keep: (id: string, draft: Draft) => useDrafts.setState({ [id]: draft }),
    discard: (id: string) => useDrafts.setState(({ [id]: _discarded, ...others }) => others, true),
  }
}
