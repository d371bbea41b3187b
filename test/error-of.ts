/** An error response as its caller sees it: the status and the fields of `error`. */
export async function errorOf(answer: { status: number; json(): Promise<unknown> }) {
  const { error } = (await answer.json()) as { error: Record<string, unknown> }
  return { status: answer.status, ...error }
}
