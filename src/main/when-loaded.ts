interface LoadingPage {
  isLoading(): boolean
  once(event: 'did-stop-loading', listener: () => void): unknown
}

/** Acts at once, or when the page has loaded: before, it does not receive messages. */
export function whenLoaded(page: LoadingPage, act: () => void): void {
  if (page.isLoading()) page.once('did-stop-loading', act)
  else act()
}
