/** The subject and text of a mail. */
interface MailText {
  subject: string
  body: string
}

/**
 * The URL of a gateway page. The token follows the `#`, which browsers do not send, so it reaches no server's log. No
 * line of a mail has more than 76 characters, so that mail files are readable.
 */
const linkTo = (publicUrl: string, page: string, token: string): string => `${publicUrl}/${page}#${token}`

/** A line of a mail has room for so much of a name. */
const longestName = 76 - 'Hello ,'.length
/** What mail programs make links of. */
const likeLink = /\/\/|[.\u3002\uff0e\uff61]\p{L}{2}/u

/**
 * Anybody may register an institution under any name and have it invited at any address: our mails carry nobody's text or links
 * to strangers.
 */
const greeting = (name: string): string =>
  name.length <= longestName && !likeLink.test(name) ? `Hello ${name},` : 'Hello,'

const pathTo = (action: string, token: string): string => `/identity/v1/auth/${action}/${token}`

/** For a new user, or one that never set a password. */
export const invitationText = (name: string, publicUrl: string, token: string, days: number): MailText => ({
  subject: 'Your invitation to Bursar',
  body: `${greeting(name)}

you were invited to Bursar. Set your password here within ${days} days:

${linkTo(publicUrl, 'change-password', token)}

Programs POST {"password": ...} to this path of the same server:

${pathTo('change-password', token)}

If you do not know why you get this mail, do nothing.
`,
})

/** For a user that forgot its password. */
export const resetText = (name: string, publicUrl: string, token: string, minutes: number): MailText => ({
  subject: 'Your new password for Bursar',
  body: `${greeting(name)}

somebody asked for a new password for your account. Set it here within
${minutes} minutes:

${linkTo(publicUrl, 'reset-password', token)}

Programs POST {"password": ...} to this path of the same server:

${pathTo('reset-password', token)}

If it was not you, do nothing: your password stays as it is.
`,
})

/** To the old address, when a user's address has changed. */
export const addressChangedText = (name: string): MailText => ({
  subject: 'Your address at Bursar was changed',
  body: `${greeting(name)}

the e-mail address of your Bursar account was changed: mails go to another
address from now on, and logins take that one.

If you do not know of it, write to your administrator at once.
`,
})

/** After a change of password. */
export const passwordChangedText = (name: string): MailText => ({
  subject: 'Your password for Bursar was changed',
  body: `${greeting(name)}

the password of your Bursar account was changed, and all its sessions were ended.

If it was not you, write to your administrator at once.
`,
})

/** When an account at the provider (single sign-on) was linked to a user by its address. */
export const providerLinkedText = (name: string, provider: string): MailText => ({
  subject: 'Another way to log in to Bursar',
  body: `${greeting(name)}

from now on you can log in to Bursar with your account at ${provider}: both have
this e-mail address.

If it was not you, write to your administrator at once.
`,
})
