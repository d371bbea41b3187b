/** Whether the menu of compared routers is open. Apart from what it changes, because commands are in the first script. */
import { create } from 'zustand'

export const useComparisonMenu = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function openComparisonMenu(): void {
  useComparisonMenu.setState({ isOpen: true })
}

export function closeComparisonMenu(): void {
  useComparisonMenu.setState({ isOpen: false })
}
