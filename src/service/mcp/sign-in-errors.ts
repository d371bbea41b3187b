/** The server wants a sign-in first. */
export class SignInMissing extends Error {
  override readonly name = 'SignInMissing'
}
