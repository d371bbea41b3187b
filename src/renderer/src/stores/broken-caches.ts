import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useBrokenCaches = createListStore(() => call('sessions:broken'))
