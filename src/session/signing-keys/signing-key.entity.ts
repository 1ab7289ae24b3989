import { Entity } from 'typeorm';
import { KeyPairColumns } from './key-pair-columns.js';

/** A key pair that signs access tokens. */
@Entity('signing_keys')
export class SigningKeyEntity extends KeyPairColumns {}
