/** The subject and text of a mail. */
interface MailText {
  subject: string
  body: string
}

/** A line of a mail has room for so much of a name. No line has more than 76 characters, so that mail files are readable. */
const longestName = 76 - 'Hello ,'.length
/** What mail programs make links of. */
const likeLink = /\/\/|[.\u3002\uff0e\uff61]\p{L}{2}/u

/**
 * Anybody may register an institution under any name and have it invited at any address: our mails carry nobody's text or links
 * to strangers.
 */
const greeting = (name: string): string =>
  name.length <= longestName && !likeLink.test(name) ? `Hello ${name},` : 'Hello,'

const mail = (subject: string, name: string, paragraphs: readonly string[]): MailText => ({
  subject,
  body: `${[greeting(name), ...paragraphs].join('\n\n')}\n`,
})

/**
 * The URL of a gateway page, and what programs call instead. The token follows the `#`, which browsers do not send, so it
 * reaches no server's log.
 */
const linkTo = (publicUrl: string, page: 'change-password' | 'reset-password', token: string): string[] => [
  `${publicUrl}/${page}#${token}`,
  'Programs POST {"password": ...} to this path of the same server:',
  `/identity/v1/auth/${page}/${token}`,
]

/** For a new user, or one that never set a password. */
export const invitationText = (name: string, publicUrl: string, token: string, days: number): MailText =>
  mail('Your invitation to Bursar', name, [
    `you were invited to Bursar. Set your password here within ${days} days:`,
    ...linkTo(publicUrl, 'change-password', token),
    'If you do not know why you get this mail, do nothing.',
  ])

/** For a user that forgot its password. */
export const resetText = (name: string, publicUrl: string, token: string, minutes: number): MailText =>
  mail('Your new password for Bursar', name, [
    `somebody asked for a new password for your account. Set it here within\n${minutes} minutes:`,
    ...linkTo(publicUrl, 'reset-password', token),
    'If it was not you, do nothing: your password stays as it is.',
  ])

/** To the old address, when a user's address has changed. */
export const addressChangedText = (name: string): MailText =>
  mail('Your address at Bursar was changed', name, [
    'the e-mail address of your Bursar account was changed: mails go to another\naddress from now on, and logins take that one.',
    'If you do not know of it, write to your administrator at once.',
  ])

/** After a change of password. */
export const passwordChangedText = (name: string): MailText =>
  mail('Your password for Bursar was changed', name, [
    'the password of your Bursar account was changed, and all its sessions were ended.',
    notYou,
  ])

/** When an account at the provider (single sign-on) was linked to a user by its address. */
export const providerLinkedText = (name: string, provider: string): MailText =>
  mail('Another way to log in to Bursar', name, [
    `from now on you can log in to Bursar with your account at ${provider}: both have\nthis e-mail address.`,
    notYou,
  ])

const notYou = 'If it was not you, write to your administrator at once.'
