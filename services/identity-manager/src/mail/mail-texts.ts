/** What a mail says. */
interface MailText {
  subject: string
  body: string
}

/** A page of the console. The token stands behind the `#`, which browsers do not send: it reaches no server's log. */
const linkTo = (publicUrl: string, page: string, token: string): string => `${publicUrl}/${page}#token=${token}`

/** For a new user, or one that never set a password. */
export const invitationText = (name: string, publicUrl: string, token: string, days: number): MailText => ({
  subject: 'Your invitation to Bursar',
  body: `Hello ${name},

you were invited to Bursar. Set your password here within ${days} days:

${linkTo(publicUrl, 'change-password', token)}

Programs send it to POST ${publicUrl}/identity/v1/auth/change-password/${token}
as {"password": "…"}.

If you do not know why you get this mail, do nothing.
`,
})

/** For a user that has forgotten its password. */
export const resetText = (name: string, publicUrl: string, token: string, minutes: number): MailText => ({
  subject: 'Your new password for Bursar',
  body: `Hello ${name},

somebody asked for a new password for your account, you we hope. Set it here within ${minutes} minutes:

${linkTo(publicUrl, 'reset-password', token)}

Programs send it to POST ${publicUrl}/identity/v1/auth/reset-password/${token}
as {"password": "…"}.

If it was not you, do nothing: your password stays as it is.
`,
})

/** To the address before, when a user's address has changed. */
export const addressChangedText = (name: string): MailText => ({
  subject: 'Your address at Bursar was changed',
  body: `Hello ${name},

the e-mail address of your Bursar account was changed: mails go to another address from now on, and logins take that one.

If you do not know of it, write to your administrator at once.
`,
})

/** After a new password. */
export const passwordChangedText = (name: string): MailText => ({
  subject: 'Your password for Bursar was changed',
  body: `Hello ${name},

the password of your Bursar account was changed, and all its sessions were ended.

If it was not you, write to your administrator at once.
`,
})
