/** Whether the dialog that imports conversations of other programs is open. The menu and the palette open it, too. */
import { create } from 'zustand'

export const useImport = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function openImport(): void {
  useImport.setState({ isOpen: true })
}

export function closeImport(): void {
  useImport.setState({ isOpen: false })
}
