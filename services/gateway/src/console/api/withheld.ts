import type { Target } from '../../routing/target'

/** What gives tokens, or sets passwords by them: the console has ways of its own, which keep tokens to themselves. */
const withheld: Partial<Record<Target['service'], RegExp>> = {
  'identity-manager': /^\/(auth\/.*|users\/(register|change-password-token))$/,
}

/** Whether a route is not for sessions of the console. */
export const isWithheld = ({ service, path }: Target): boolean => withheld[service]?.test(path) === true
