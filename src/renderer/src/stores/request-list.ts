/**
 * The requests of all routers that match a filter. The list is loaded in pages, each from the end of the nearest page
 * above it, so that new requests do not move the rows that are shown.
 */
import { create } from 'zustand'
import type { ListedRequest, RequestFilter } from '../../../shared/requests/search.ts'
import { call, toCallError, type CallError } from './client.ts'

/** Rows of one page. */
export const pageRows = 100
/** Pages in memory; those farthest from the last one are dropped. */
const mostPages = 60
/** The shortest time between two looks for new requests. */
const refreshMs = 500
/** Looking for new requests takes at most this share of the time. */
const busyShare = 0.1

export interface RequestList {
  filter: RequestFilter
  /** How many requests matched when the list was loaded; null until loaded. */
  total: number | null
  /** Newest first, by the number of the page. */
  pages: Readonly<Record<number, readonly ListedRequest[]>>
  /** How many more match by now. */
  newer: number
  /** Whether new requests are shown as they arrive. */
  isFollowing: boolean
  error: CallError | null
}

const nothing: Omit<RequestList, 'filter'> = {
  total: null,
  pages: {},
  newer: 0,
  isFollowing: true,
  error: null,
}

export const useRequestList = create<RequestList>(() => ({ ...nothing, filter: {} }))

/** Counts the lists, so that answers for an earlier one are dropped. */
let opened = 0
const loading = new Set<number>()
let timer: ReturnType<typeof setTimeout> | null = null
/** Whether a request ended since the last look began. */
let missed = false

/** Opens the list of a filter, with its first page. Never rejects. */
export async function openRequestList(filter: RequestFilter): Promise<void> {
  closeRequestList()
  useRequestList.setState({ ...nothing, filter })
  await reloadRequestList()
}

/** Stops looking for new requests. */
export function closeRequestList(): void {
  opened += 1
  loading.clear()
  if (timer !== null) clearTimeout(timer)
  timer = null
  missed = false
}

/** Loads the first page again, with the requests since. Never rejects. */
export async function reloadRequestList(): Promise<void> {
  opened += 1
  loading.clear()
  const mine = opened
  const { filter } = useRequestList.getState()
  try {
    // The count is asked first: a request that ends in between is then one of the newer ones.
    const [total, first] = await Promise.all([
      call('requests:count', filter),
      call('requests:search', { filter, limit: pageRows }),
    ])
    if (mine !== opened) return
    const least = Math.max(total, first.length)
    useRequestList.setState({ total: least, pages: { 0: first }, newer: 0, error: null })
  } catch (error) {
    if (mine === opened) useRequestList.setState({ error: toCallError(error) })
  }
}

/** Loads a page, unless it is loaded or on its way. Never rejects. */
export async function loadRequestPage(page: number): Promise<void> {
  const { filter, pages } = useRequestList.getState()
  if (pages[page] || loading.has(page)) return
  const mine = opened
  loading.add(page)
  try {
    const rows = await call('requests:search', {
      filter,
      ...startOf(page, pages),
      limit: pageRows,
    })
    if (mine !== opened) return
    useRequestList.setState(({ pages: others }) => ({
      pages: nearest({ ...others, [page]: rows }, page),
      error: null,
    }))
  } catch (error) {
    if (mine === opened) useRequestList.setState({ error: toCallError(error) })
  } finally {
    if (mine === opened) loading.delete(page)
  }
}

/** Whether requests that end from now on are shown at once. */
export function followRequests(isFollowing: boolean): void {
  useRequestList.setState({ isFollowing })
  if (isFollowing && useRequestList.getState().newer > 0) void reloadRequestList()
}

/** A request ended: looks for new matches, so that none is missing for a second. */
export function noteListedRequest(): void {
  if (useRequestList.getState().total === null) return
  if (timer === null) scheduleLook()
  else missed = true
}

function scheduleLook(): void {
  timer = setTimeout(() => void look(), refreshMs)
}

async function look(): Promise<void> {
  const startedAt = performance.now()
  const mine = timer
  missed = false
  if (useRequestList.getState().isFollowing) await reloadRequestList()
  else await countNewer()
  // The list was closed, and may be open again with a timer of its own.
  if (timer !== mine) return
  const tookMs = performance.now() - startedAt
  // A count with a rare filter can take long in a large ledger.
  const restMs = tookMs / busyShare - refreshMs
  if (restMs > 0) timer = setTimeout(endRest, restMs)
  else endRest()
}

/** Looks again for requests that ended during the last look or the rest after it. */
function endRest(): void {
  timer = null
  if (missed) scheduleLook()
}

async function countNewer(): Promise<void> {
  const mine = opened
  const { filter, total } = useRequestList.getState()
  const count = await call('requests:count', filter).catch(() => null)
  if (mine !== opened || count === null || total === null) return
  useRequestList.setState({ newer: Math.max(0, count - total) })
}

/** Start of a page: after the nearest page above it that is loaded. */
function startOf(
  page: number,
  pages: RequestList['pages'],
): { after: string | null; offset: number } {
  for (let above = page - 1; above >= 0; above -= 1) {
    const last = pages[above]?.at(-1)
    if (last) return { after: last.id, offset: (page - above - 1) * pageRows }
  }
  return { after: null, offset: page * pageRows }
}

/** The first page, from which the others are found, and the pages nearest to this one. */
function nearest(pages: RequestList['pages'], page: number): RequestList['pages'] {
  const numbers = Object.keys(pages).map(Number)
  if (numbers.length <= mostPages) return pages
  const kept = numbers
    .toSorted(
      (a, b) => Number(b === 0) - Number(a === 0) || Math.abs(a - page) - Math.abs(b - page),
    )
    .slice(0, mostPages)
  return Object.fromEntries(
    kept.flatMap((number) => (pages[number] ? [[number, pages[number]]] : [])),
  )
}

/** The request at a position of the list; null while its page is not loaded. */
export function requestAt(
  { pages }: Pick<RequestList, 'pages'>,
  index: number,
): ListedRequest | null {
  return pages[Math.floor(index / pageRows)]?.[index % pageRows] ?? null
}

/** Position of a loaded request in the list; null when it is not loaded. */
export function positionOf({ pages }: Pick<RequestList, 'pages'>, id: string): number | null {
  for (const [page, rows] of Object.entries(pages)) {
    const index = rows.findIndex((row) => row.id === id)
    if (index !== -1) return Number(page) * pageRows + index
  }
  return null
}
