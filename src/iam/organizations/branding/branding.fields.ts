import { textField } from '../../../platform/api/index.js';

export const DISPLAY_NAME = textField({
  max: 60,
  description: 'Name shown on pages; null for that of the organization.',
  example: 'Lovelace Logistics',
});

export const ACCENT_COLOR = textField({
  min: 7,
  max: 7,
  pattern: /^#[0-9A-Fa-f]{6}$/,
  shape: 'a color as #0b6b6b',
  description:
    'Color of buttons and links: its contrast with white must be at least 4.5:1. null for that of the service.',
  example: '#7a1fa2',
});

export const SUPPORT_URL = textField({
  max: 500,
  pattern: /^https:\/\/[^\s"'<>\\@]+$/,
  shape: 'an address that begins with https://',
  description: 'Page where people of the organization find help.',
  example: 'https://help.example.com/sign-in',
});

export const MAIL_SENDER_NAME = textField({
  max: 40,
  description:
    'Name before the address of the sender of mails of the organization. "via Gatehouse" follows it.',
  example: 'Lovelace Logistics',
});

export const LOGO_URL = textField({
  max: 200,
  pattern: '^/api/v1/iam/auth/logos/[0-9A-Z]{26}/[0-9a-f]{64}$',
  description: 'Path of the logo on this service. It changes with the image.',
  example: `/api/v1/iam/auth/logos/01K3V9D7Q8Z4X5N6M7P8R9S0T3/${'0123456789abcdef'.repeat(4)}`,
});
