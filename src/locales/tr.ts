import type { Texts } from '../platform/messages/index.js';

/** Turkish. */
export const tr: Texts = {
  'mail.copy-address': 'Dilerseniz bu adresi kopyalayın:',
  'ability.unknown-scope': 'Böyle bir izin yok.',
  'ability.tenant-required': 'Önce bir kuruluş seçin.',
  'ability.scope-not-held': 'Rolleriniz bu izni içermiyor.',
  'ability.people-only': 'Bu işlem kişiler içindir. Hizmet hesabı bunu yapamaz.',
  'ability.key-without-scope': 'Bu anahtarın bu izni yok. Hesabının rollerinde olabilir.',
  'ability.client-without-scope': 'Bu uygulamanın bu izni yok. Ana uygulamada deneyin.',
  'ability.subject-mismatch': 'Nesne, bu iznin geçerli olduğu türde değil.',
  'ability.subject-not-found': 'Bu kuruluşta böyle bir nesne yok.',
  'ability.second-factor-required':
    'Bunun için ikinci faktör gerekir. Kendi faktörünüzle onaylayın veya önce bir tane ekleyin.',
  'ability.passkey-required':
    'Bunun için geçiş anahtarı gerekir. Kendi anahtarınızla onaylayın veya önce bir tane ekleyin.',
  'ability.tenant-second-factor':
    'Bu kuruluş ikinci faktör gerektiriyor. Kendi faktörünüzle onaylayın veya önce bir tane ekleyin.',
  'ability.tenant-connection': 'Kuruluşunuzun gerektirdiği kendi sağlayıcısıyla oturum açın.',
  'ability.tenant-passkey':
    'Bu kuruluş geçiş anahtarı gerektiriyor. Kendi anahtarınızla onaylayın veya önce bir tane ekleyin.',
  'ability.tenant-sign-in-too-old':
    'Son oturum açmanızın üzerinden bu kuruluş için çok zaman geçti. Kimliğinizi onaylayıp tekrar deneyin.',
  'ability.own-proof':
    'Yalnızca bir kuruluş üzerinden oturum açtınız. Parolanızla ya da ikinci faktörünüzle onaylayın veya e-postayla bir parola belirleyin.',
  'ability.tenant-other-connection':
    'Yalnızca başka bir kuruluş üzerinden oturum açtınız. Parolanızla ya da ikinci faktörünüzle onaylayın veya e-postayla bir parola belirleyin.',
  'ability.key-without-sso':
    'Bu anahtar, kuruluşun artık zorunlu kıldığı tek oturum açma olmadan oluşturuldu. Onunla oturum açıp yeni bir anahtar oluşturun.',
  'ability.key-too-weak':
    'Bu anahtar, kuruluşun şimdi istediğinden daha zayıf bir oturum açma ile oluşturuldu. Yeni bir tane oluşturun.',
  'ability.tenant-session-too-old': 'Oturumunuz bu kuruluş için çok eski. Yeniden oturum açın.',
  'ability.authentication-insufficient':
    'Son oturum açmanızın üzerinden bunun için çok zaman geçti. Kimliğinizi onaylayıp tekrar deneyin.',
  'session.ended': 'Oturum zaten sona ermiş.',
  'satellite.public': 'Bu istemcinin gizli anahtarı yok.',
  'satellite.disabled': 'Uydu uygulama zaten devre dışı.',
  'satellite.not-disabled': 'Uydu uygulama devre dışı değil.',
  'identity.only-sign-in':
    'Bu, tek oturum açma yönteminiz. Önce bir parola belirleyin veya başka bir kimlik bağlayın.',
  'tenant.archived': 'Kuruluş arşivlenmiş. Önce geri yükleyin.',
  'tenant.archived-already': 'Kuruluş zaten arşivlenmiş.',
  'tenant.not-archived': 'Kuruluş arşivlenmemiş.',
  'tenant.deletion-scheduled-already': 'Kuruluşun silinmesi zaten planlanmış.',
  'tenant.deletion-not-scheduled': 'Kuruluş için planlanmış bir silme işlemi yok.',
  'tenant.slug-reserved': 'Bu ad hizmet için ayrılmıştır. Başka bir ad seçin.',
  'tenant.slug-taken': 'Başka bir kuruluşun adresinde bu ad kullanılıyor. Başka bir ad seçin.',
  'tenant.owners-only': 'Sahipliği yalnızca bir sahip devredebilir.',
  'tenant.last-owner-leaves': 'Son sahip ayrılamaz. Önce başka bir üyeyi sahip yapın.',
  'member.last-owner':
    'Son sahip kaldırılamaz ve sahiplik rolü geri alınamaz. Önce başka bir üyeyi sahip yapın.',
  'member.last-owner-suspended': 'Son sahip askıya alınamaz. Önce başka bir üyeyi sahip yapın.',
  'member.suspended-already': 'Üyelik zaten askıda.',
  'member.not-suspended': 'Üyelik askıda değil.',
  'member.own-roles': 'Kendi rollerinizi değiştiremezsiniz. Başka bir sahipten veya yöneticiden isteyin.',
  'member.owners-only': 'Bir sahip için bunu yalnızca başka bir sahip yapabilir.',
  'member.exceeds-caller': 'Üyenin, sizde olmayan izinleri var. Bu izinlere sahip bir üyeden isteyin.',
  'role.built-in': 'Yerleşik roller değiştirilemez ve silinemez.',
  'role.exceeds-caller': 'Rol, sizde olmayan izinler içeriyor.',
  'role.in-use':
    'Rol kullanılıyor. Önce üyelerinden ve hizmet hesaplarından alın, bu rolle gönderilen davetleri iptal edin.',
  'member.no-change': 'rolleri ya da üyeliğin bitişini verin',
  'mail.access-ending.subject': 'Erişiminiz yakında sona eriyor',
  'mail.access-ending.membership': '{organization} üyeliğiniz {date} tarihinde sona eriyor.',
  'mail.access-ending.role': '{organization} içindeki {role} rolünüz {date} tarihinde sona eriyor.',
  'mail.access-ending.what-now': 'Daha uzun süre gerekiyorsa bir sahibe ya da yöneticiye sorun.',
  'mail.access-ending.an-organization': 'bir organizasyon',
  'mail.access-ending.a-role': 'mevcut',
  'assignment.owner': 'Sahip, organizasyonun tamamına sahiptir. Başka bir rol seçin.',
  'assignment.past': 'gelecekte olmalı',
  'assignment.unknown-thing': 'Organizasyonda böyle bir şey yok.',
  'assignment.too-many': 'Bir üyenin nesneler üzerinde {max} rolü olabilir. Önce bazılarını sonlandırın.',
  'invitation.accepted': 'Davet zaten kabul edilmiş.',
  'invitation.revoked': 'Davet zaten iptal edilmiş.',
  'invitation.expired': 'Davetin süresi dolmuş.',
  'invitation.lacks-role': 'Davetteki bir rol silinmiş. Adresi başka rollerle yeniden davet edin.',
  'invitation.owners-only': 'Yalnızca bir sahip başka birini sahip yapabilir.',
  'invitation.exceeds-caller': 'Davet, sizde olmayan izinler veriyor. Bu izinlere sahip bir üyeden isteyin.',
  'sign-in-policy.sso-not-tested':
    'Önce etkin SSO bağlantısını kendiniz test edin. Testin son bir gün içinde başarılı olması gerekir.',
  'sign-in-policy.sso-no-emergency-owner':
    'Acil durumlar için bir sahibin ikinci faktörü veya geçiş anahtarı olmalı ve son 90 gün içinde bununla oturum açmış olmalıdır.',
  'sign-in-policy.own-sign-in':
    'Kendi oturumunuz bu ilkeye uymuyor. Önce ilkenin gerektirdiği şekilde oturum açın, sonra ilkeyi ayarlayın.',
  'invitation.other-address': 'Davet başka bir adrese gönderilmiş. O adresin hesabıyla oturum açın.',
  'mail.invitation.subject': 'Davet edildiniz',
  'mail.invitation.invited':
    '{organization} kuruluşuna davet edildiniz. Bu e-posta adresiyle oturum açın veya önce bu adresle bir hesap oluşturun, ardından daveti yedi gün içinde kabul edin.',
  'mail.invitation.invited-without-name':
    'Bir kuruluşa davet edildiniz. Bu e-posta adresiyle oturum açın veya önce bu adresle bir hesap oluşturun, ardından daveti yedi gün içinde kabul edin.',
  'mail.invitation.unexpected': 'Bir davet beklemiyorsanız bu e-postayı yok sayın.',
  'mail.invitation.accept': 'Daveti kabul et',
  'mail.ownership-transferred.subject': 'Bir kuruluşu devrettiniz',
  'mail.ownership-transferred.done':
    '{organization} kuruluşunda sizin yerinize başka bir üye sahip oldu. Üyeliğiniz devam ediyor.',
  'mail.ownership-transferred.without-name':
    'Bir kuruluşta sizin yerinize başka bir üye sahip oldu. Üyeliğiniz devam ediyor.',
  'mail.ownership-transferred.what-now':
    'Bunu siz yapmadıysanız parolanızı değiştirin ve bir sahipten yardım isteyin.',
  'mail.ownership-received.subject': 'Bir kuruluşun sahibi oldunuz',
  'mail.ownership-received.done': 'Bir sahip, {organization} kuruluşunun sahipliğini size devretti.',
  'mail.ownership-received.without-name': 'Bir sahip, bir kuruluşun sahipliğini size devretti.',
  'mail.ownership-received.what-now':
    'Kuruluşta her şeyi yapabilirsiniz: üyeleri ve rolleri yönetebilir, kuruluşu arşivleyebilir ve silebilirsiniz.',
  'mail.tenant-deletion.subject': 'Bir kuruluş silinecek',
  'mail.tenant-deletion.scheduled':
    'Bir sahip, {organization} kuruluşunun silinmesini planladı. Zaman: {time}.',
  'mail.tenant-deletion.scheduled-without-name':
    'Bir sahip, kuruluşlarınızdan birinin silinmesini planladı. Zaman: {time}.',
  'mail.tenant-deletion.what-goes':
    'İçindeki her şey silinecek: üyeler, roller, davetler ve denetim günlüğü. Hesaplar kalacak. Bu işlem geri alınamaz.',
  'mail.tenant-deletion.cancel':
    'O zamana kadar her sahip silmeyi iptal edebilir veya kuruluşu geri yükleyebilir.',
  'password.common': 'Bu parola, saldırganların ilk denediği parolalar listesinde. Başka bir parola seçin.',
  'password.own-words':
    'Bu parola adresiniz, adınız veya kuruluşunuz; saldırganlar önce bunları dener. Başka bir parola seçin.',
  'mail.go-to-app': 'Uygulamaya git',
  'mail.verification.subject': 'E-posta adresinizi doğrulayın',
  'mail.verification.registered':
    'Bu e-posta adresiyle bir hesap kaydedildi (zaman: {registeredAt}). Girilen ad: {name}.',
  'mail.verification.registered-without-name':
    'Bu e-posta adresiyle bir hesap kaydedildi (zaman: {registeredAt}). Girilen ad burada gösterilemiyor.',
  'mail.verification.was-you': 'Bu sizseniz adresi 24 saat içinde doğrulayın. Seçtiğiniz parola gerekecek.',
  'mail.verification.was-not-you': 'Bu siz değilseniz kaydı reddedin. Böylece hesap oluşturulmaz.',
  'mail.verification.verify': 'Bu adresi doğrula',
  'mail.verification.refuse': 'Bu ben değildim',
  'mail.already-registered.subject': 'Zaten bir hesabınız var',
  'mail.already-registered.was-you':
    'Biri bu e-posta adresiyle hesap kaydetmeye çalıştı, ancak adresin zaten bir hesabı var. Bu sizseniz oturum açın; parolanızı unuttuysanız sıfırlayın.',
  'mail.already-registered.was-not-you': 'Bu siz değilseniz bir şey yapmanız gerekmez. Hiçbir şey değişmedi.',
  'mail.already-registered.sign-in': 'Oturum açma sayfasına git',
  'mail.choose-password.subject': 'Hesabınız için bir parola seçin',
  'mail.choose-password.ready':
    'Bu e-posta adresini doğruladınız ve hesabınız hazır. Adres farklı parolalarla kaydedildiği için bunların hiçbiri kullanılmıyor.',
  'mail.choose-password.within':
    'Parolanızı bir saat içinde seçin. Daha sonra oturum açma sayfasındaki “Parolanızı mı unuttunuz?” ile yeni bir bağlantı isteyin.',
  'mail.choose-password.choose': 'Parola seç',
  'mail.password-reset.subject': 'Parolanızı sıfırlayın',
  'mail.password-reset.was-you':
    'Biri hesabınızın parolasını sıfırlamak istedi. Bu sizseniz yeni bir parola seçin: bağlantı bir saat boyunca ve yalnızca bir kez çalışır.',
  'mail.password-reset.was-not-you': 'Bu siz değilseniz bu e-postayı yok sayın. Parolanız aynı kalır.',
  'mail.password-reset.choose': 'Yeni parola seç',
  'mail.new-password-required.subject': 'Yeni bir parola seçin',
  'mail.new-password-required.removed':
    'Bu hizmetin destek ekibi yeni bir parola seçmenizi istiyor. Önceki parolanız artık çalışmıyor ve cihazlarınızdaki oturumlar kapatıldı.',
  'mail.new-password-required.within':
    'Bağlantı bir saat boyunca ve yalnızca bir kez çalışır. Daha sonra oturum açma sayfasındaki “Parolanızı mı unuttunuz?” ile yenisini isteyin.',
  'mail.export-ready.subject': 'Verileriniz hazır',
  'mail.export-ready.ready':
    'Bu hizmetin sizinle ilgili sakladığı her şeyi istediniz. Yedi gün içinde indirmek için oturum açın.',
  'mail.export-ready.was-not-you':
    'Bunu siz istemediyseniz parolanızı değiştirin ve tanımadığınız oturumları sonlandırın.',
  'mail.export-ready.by-support':
    'Bu hizmetin destek ekibi, hizmetin sizin hakkınızda sakladığı her şeyi sizin için bir araya getirdi. Yedi gün içinde indirmek için oturum açın.',
  'mail.export-ready.for-you-alone': 'Yalnızca siz açabilirsiniz. Destek ekibi açamaz.',
  'mail.password-changed.subject': 'Parolanız değiştirildi',
  'mail.password-changed.changed':
    'Hesabınızın parolası değiştirildi ve daha önce oturum açılmış cihazlardaki oturumlar kapatıldı.',
  'mail.password-changed.was-not-you':
    'Bu siz değilseniz parolayı hemen sıfırlayın ve yöneticinize bildirin.',
  'mail.confirm-email.subject': 'Yeni e-posta adresinizi onaylayın',
  'mail.confirm-email.asked': 'Biri bu e-posta adresini bundan sonra kendi hesabı için kullanmak istiyor.',
  'mail.confirm-email.was-you':
    'Bu sizseniz adresi 24 saat içinde onaylayın. Bundan sonra bu adresle oturum açarsınız.',
  'mail.confirm-email.was-not-you':
    'Bu siz değilseniz bu e-postayı yok sayın ve bağlantıyı açmayın. Böylece hiçbir şey değişmez.',
  'mail.confirm-email.confirm': 'Bu adresi onayla',
  'mail.email-taken.subject': 'Bu e-posta adresinin zaten bir hesabı var',
  'mail.email-taken.asked':
    'Biri bu e-posta adresini başka bir hesap için kullanmak istedi. Adres sizin hesabınıza ait olduğu için hiçbir şey değişmedi.',
  'mail.email-taken.was-you':
    'Bu sizseniz bunun yerine bu adresle oturum açın. Bir adresin yalnızca bir hesabı olabilir.',
  'mail.email-taken.was-not-you': 'Bu siz değilseniz bir şey yapmanız gerekmez.',
  'mail.email-changed.subject': 'Hesabınızın e-posta adresi değiştirildi',
  'mail.email-changed.changed':
    'Hesabınızın artık başka bir e-posta adresi var. O adresle oturum açarsınız ve e-postalar oraya gider.',
  'mail.email-changed.was-not-you':
    'Bu siz değilseniz bu adresi yedi gün içinde geri yükleyin. Tüm cihazlardaki oturumlar kapatılır ve yeni bir parola seçersiniz.',
  'mail.email-changed.undo': 'Bu adresi geri yükle',
  'mail.email-restored.subject': 'E-posta adresiniz geri yüklendi',
  'mail.email-restored.restored':
    'Hesabınızda yeniden bu e-posta adresi var. Tüm cihazlardaki oturumlar kapatıldı ve parola kaldırıldı.',
  'mail.email-restored.choose':
    'Bir saat içinde yeni bir parola seçin. Daha sonra oturum açma sayfasındaki “Parolanızı mı unuttunuz?” ile yeni bir bağlantı isteyin. Ardından tanımadığınız geçiş anahtarlarını ve kimlik doğrulama uygulamalarını kaldırın ve yeni kurtarma kodları oluşturun.',
  'mail.email-code.within': 'Kod on dakika geçerlidir ve bir kez kullanılabilir. Kimseye söylemeyin.',
  'mail.sign-in-code.subject': 'Oturum açma kodunuz',
  'mail.sign-in-code.code': 'Oturum açma kodunuz: {code}',
  'mail.sign-in-code.was-not-you':
    'Bağlantı, onu istediğiniz tarayıcıda çalışır. Bu siz değilseniz bu e-postayı yok sayın.',
  'mail.sign-in-code.sign-in': 'Oturum aç',
  'mail.step-up-code.subject': 'Kimliğinizi onaylayın',
  'mail.step-up-code.code': 'Kimliğinizi onaylama kodunuz: {code}',
  'mail.step-up-code.was-not-you':
    'Kodu, hesabınızda oturum açmış biri istedi. Bu siz değilseniz tüm cihazlardaki oturumları kapatın.',
  'mail.new-network.subject': 'Hesabınızda yeni oturum açıldı',
  'mail.new-network.signed-in': 'Biri, daha önce kullanılmamış bir ağdan hesabınızda oturum açtı.',
  'mail.new-network.time': 'Zaman: {time}',
  'mail.new-network.browser': 'Tarayıcı: {device}',
  'mail.new-network.address': 'IP adresi: {ipAddress}',
  'mail.new-network.was-not-you':
    'Bu sizseniz bir şey yapmanız gerekmez. Bu siz değilseniz parolanızı hemen sıfırlayın: böylece tüm cihazlardaki oturumlar kapatılır.',
  'mail.account-erased.subject': 'Hesabınız silindi',
  'mail.account-erased.erased':
    'Hesabınız, oturum açmış bir kişinin isteğiyle silindi. İçindeki tüm kişisel veriler kaldırıldı. Bu işlem geri alınamaz.',
  'mail.account-erased.was-not-you':
    'Bu siz değilseniz başka biri hesabınıza erişmiş. Bu hizmetin operatörüne bildirin ve parolayı kullandığınız diğer sitelerde de değiştirin.',
  'mail.account-erased.last':
    'Bu, bu hesapla ilgili son e-postadır. Aynı adresle istediğiniz zaman yeniden kaydolabilirsiniz.',
  'mail.identity-linked.subject': 'Yeni oturum açma yöntemi',
  'mail.identity-linked.linked': 'Artık {provider} ile hesabınızda oturum açabilirsiniz.',
  'mail.identity-linked.was-not-you':
    'Bu siz değilseniz oturum açın, “Oturum açma yöntemleri” altında bağlantısını kaldırın ve parolanızı değiştirin.',
  'mail.identities-removed.subject': 'Oturum açma yöntemleri kaldırıldı',
  'mail.identities-removed.removed':
    'Parolanız sıfırlandı. Başka biri eklemiş olabileceği için şu oturum açma yöntemleri hesabınızdan kaldırıldı: {providers}.',
  'mail.identities-removed.link-again':
    'Bunları yeniden kullanmak için yeni parolanızla oturum açın ve “Oturum açma yöntemleri” altında bağlayın.',
  'mail.identity-unlinked.subject': 'Oturum açma yöntemi kaldırıldı',
  'mail.identity-unlinked.unlinked': 'Artık {provider} ile hesabınızda oturum açamazsınız.',
  'mail.identity-unlinked.was-not-you':
    'Bu siz değilseniz parolanızı sıfırlayın: böylece tüm cihazlardaki oturumlar kapatılır. Ardından “Oturum açma yöntemleri” altında yeniden bağlayın.',
  'scope.tenant': 'Kuruluş',
  'scope.tenant.read': 'Kuruluşu görüntüleme',
  'scope.tenant.read.description': 'Adını ve durumunu görme.',
  'scope.tenant.update': 'Kuruluşu yeniden adlandırma',
  'scope.tenant.update.description': 'Adını tüm üyeler için değiştirme.',
  'scope.tenant.archive': 'Kuruluşu arşivleme',
  'scope.tenant.archive.description': 'İçindeki tüm değişiklikleri durdurma. Geri yüklenebilir.',
  'scope.tenant.restore': 'Kuruluşu geri yükleme',
  'scope.tenant.restore.description': 'Arşivlenmiş kuruluşta değişikliklere yeniden izin verme.',
  'scope.tenant.delete': 'Kuruluşu silme',
  'scope.tenant.delete.description': 'Arşivlenmiş bir kuruluşun silinmesini planlama.',
  'scope.tenant.read-deletion': 'Silmeyi görüntüleme',
  'scope.tenant.read-deletion.description': 'Silmenin neyi, ne zaman kaldıracağını görme.',
  'scope.tenant.cancel-deletion': 'Silmeyi iptal etme',
  'scope.tenant.cancel-deletion.description': 'Silinmesi planlanmış bir kuruluşu koruma.',
  'scope.tenant.transfer-ownership': 'Sahipliği devretme',
  'scope.tenant.transfer-ownership.description': 'Kendi yerine başka bir üyeyi sahip yapma.',
  'scope.tenant.leave': 'Kuruluştan ayrılma',
  'scope.tenant.leave.description': 'Kendi üyeliğini sonlandırma.',
  'scope.sign-in-policy': 'Oturum açma ilkesi',
  'scope.sign-in-policy.read': 'Oturum açma ilkesini görüntüleme',
  'scope.sign-in-policy.read.description':
    'Üyelerin neyi kanıtlaması gerektiğini ve kaç üyenin giremeyeceğini görme.',
  'scope.sign-in-policy.update': 'Oturum açma ilkesini değiştirme',
  'scope.sign-in-policy.update.description':
    'Tüm üyelerden ikinci faktör ve yakın zamanda oturum açma isteme.',
  'scope.member': 'Üyeler',
  'scope.member.read': 'Üyeleri görüntüleme',
  'scope.member.read.description': 'Adları, adresleri, rolleri ve son etkinliği görme.',
  'scope.member.update': 'Üyelerin rollerini değiştirme',
  'scope.member.update.description': 'Kişinin kendi izinlerini aşmadan rol verme ve alma.',
  'scope.member.remove': 'Üyeleri kaldırma',
  'scope.member.remove.description': 'Başkalarının üyeliğini sonlandırma.',
  'scope.member.suspend': 'Üyeleri askıya alma',
  'scope.member.suspend.description': 'Üyeliklerini sonlandırmadan üyelerin erişimini kaldırma.',
  'scope.member.restore': 'Üyelerin askısını kaldırma',
  'scope.member.restore.description': 'Askıdaki üyelere erişimlerini geri verme.',
  'scope.role': 'Roller',
  'scope.role.read': 'Rolleri görüntüleme',
  'scope.role.read.description': 'Tüm rolleri ve izinlerini görme.',
  'scope.role.create': 'Rol oluşturma',
  'scope.role.create.description': 'Kişinin kendisinde olan izinlerle rol ekleme.',
  'scope.role.update': 'Rolleri değiştirme',
  'scope.role.update.description': 'Kuruluşun kendi rollerinin adını ve izinlerini değiştirme.',
  'scope.role.delete': 'Rolleri silme',
  'scope.role.delete.description': 'Kullanılmayan rolleri silme.',
  'scope.invitation': 'Davetler',
  'scope.invitation.read': 'Davetleri görüntüleme',
  'scope.invitation.read.description': 'Kimlerin hangi rollere davet edildiğini görme.',
  'scope.invitation.create': 'Kişileri davet etme',
  'scope.invitation.create.description': 'Verilebilecek rollere adres davet etme.',
  'scope.invitation.resend': 'Davetleri yeniden gönderme',
  'scope.invitation.resend.description': 'Yeni bir bağlantı gönderme; öncekinin geçerliliği biter.',
  'scope.invitation.revoke': 'Davetleri iptal etme',
  'scope.invitation.revoke.description': 'Bir daveti kabul edilmeden önce sonlandırma.',
  'scope.audit': 'Denetim günlüğü',
  'scope.audit.read': 'Denetim günlüğünü görüntüleme',
  'scope.audit.read.description': 'Kuruluşta kimin neyi değiştirdiğini görme.',
  'operator.exists': 'Bu kişi zaten operatör. Bunun yerine operatörün yapabileceklerini değiştirin.',
  'operator.last-admin':
    'Kısıtlaması olmayan son yönetici böyle kalmalıdır. Önce başka birini böyle bir yönetici yapın.',
  'scope.permission': 'Diğer hizmetlerin izinleri',
  'scope.permission.read': 'Diğer hizmetlerin izinlerini görüntüleme',
  'scope.permission.register': 'Diğer hizmetlerin izinlerini kaydetme',
  'scope.permission.remove': 'Diğer hizmetlerin izinlerini kaldırma',
  'permission.module-declared': 'Bu ad hizmetin bir modülüne ait. Başka bir ad seçin.',
  'permission.not-registered': 'Bu adla kayıtlı izin yok.',
  'permission.too-many-modules': 'Zaten {max} modül var. Önce birini kaldırın.',
  'permission.of-other-module': '{module}: ile başlamalıdır',
  'permission.twice': 'listede zaten var',
  'scope.operator': 'Operatörler',
  'scope.operator.read': 'Operatörleri görüntüleme',
  'scope.operator.create': 'Kişileri operatör yapma',
  'operator.scope-not-of-role': 'Rolün bu izni yok.',
  'operator.scope-of-whole-admins': 'Bu izne yalnızca kısıtlaması olmayan yöneticiler sahiptir.',
  'scope.operator.update': 'Operatörlerin yapabileceklerini değiştirme',
  'scope.operator.remove': 'Operatörleri kaldırma',
  'scope.client': 'Kuruluşun uygulamaları',
  'scope.client.read': 'Üyelerin oturum açtığı uygulamaları görüntüleme',
  'scope.client.create': 'Üyeler için uygulama kaydetme',
  'scope.client.update': 'Üyelerin uygulamalarını değiştirme',
  'scope.client.rotate-secret': 'Uygulamaların gizli anahtarlarını yenileme',
  'scope.client.delete': 'Üyelerin uygulamalarını silme',
  'scope.satellite': 'Uydu uygulamalar',
  'scope.satellite.read': 'Uydu uygulamaları görüntüleme',
  'scope.satellite.create': 'Uydu uygulama kaydetme',
  'scope.satellite.update': 'Uydu uygulamaları değiştirme',
  'scope.satellite.rotate-secret': 'Uydu uygulamaların gizli anahtarlarını yenileme',
  'scope.satellite.disable': 'Uydu uygulamaları devre dışı bırakma',
  'scope.satellite.enable': 'Uydu uygulamaları etkinleştirme',
  'mail.session-traces.subject': 'Önceki oturumlarınızın oluşturdukları',
  'mail.session-traces.left': 'Bunlar hesabınıza bir oturumda eklendi ve ondan sonra da duruyor:',
  'mail.session-traces.authenticator-app': 'Kimlik doğrulama uygulaması {name}, {date}',
  'mail.session-traces.passkey': 'Geçiş anahtarı {name}, {date}',
  'mail.session-traces.trusted-device': 'Güvenilen cihaz, {date}',
  'mail.session-traces.identity': 'Bir sağlayıcıyla oturum açma, {date}',
  'mail.session-traces.personal-key': 'Kendi anahtarınız {name}, {date}',
  'mail.session-traces.end': 'Biri sizin değilse, oturumunun oluşturduklarını tek dokunuşla sonlandırın.',
  'mail.session-traces.see': 'Oturumların oluşturduklarını gör',
  'scope.session': 'Oturumlar',
  'scope.session.end': 'Kendi oturumlarını sonlandırma',
  'scope.identity': 'Bağlı kimlikler',
  'scope.identity.unlink': 'Kendi kimliklerinin bağlantısını kaldırma',
  'authenticator.required-by-organization':
    'Kuruluşlarınızdan biri bunu gerektiriyor. Önce bir başkasını ekleyin veya kuruluştan ayrılın.',
  'authenticator.of-other-organization':
    'Bu, başka bir kuruluşta geçerlidir. Değiştirmek için kendi yönteminizle veya o kuruluşun istediği şekilde oturum açın.',
  'mail.authenticators.was-not-you':
    'Bu siz değilseniz oturum açın, tanımadıklarınızı kaldırın ve parolanızı hemen değiştirin.',
  'mail.authenticators.see': 'Güvenlik ayarlarınızı gözden geçirin',
  'mail.totp-added.subject': 'Kimlik doğrulama uygulaması eklendi',
  'mail.totp-added.text':
    'Hesabınıza bir kimlik doğrulama uygulaması eklendi. Oturum açarken artık onun kodları istenir.',
  'mail.passkey-added.subject': 'Geçiş anahtarı eklendi',
  'mail.passkey-added.text': 'Hesabınıza bir geçiş anahtarı eklendi. Oturum açmak için kullanılabilir.',
  'mail.totp-removed.subject': 'Kimlik doğrulama uygulaması kaldırıldı',
  'mail.totp-removed.text': 'Hesabınızdan bir kimlik doğrulama uygulaması kaldırıldı.',
  'mail.passkey-removed.subject': 'Geçiş anahtarı kaldırıldı',
  'mail.passkey-removed.text': 'Hesabınızdan bir geçiş anahtarı kaldırıldı.',
  'mail.totp-renamed.subject': 'Kimlik doğrulama uygulamasının adı değişti',
  'mail.totp-renamed.text': 'Hesabınızdaki bir kimlik doğrulama uygulamasının yeni bir adı var.',
  'mail.passkey-renamed.subject': 'Geçiş anahtarının adı değişti',
  'mail.passkey-renamed.text': 'Hesabınızdaki bir geçiş anahtarının yeni bir adı var.',
  'mail.trusted-device-removed.subject': 'Cihaz artık güvenilir değil',
  'mail.trusted-device-removed.text':
    'Güvenilir bir cihazı kaldırdınız. Orada bir sonraki oturum açmada ikinci faktör istenir.',
  'mail.recovery-codes-renewed.subject': 'Yeni kurtarma kodları',
  'mail.recovery-codes-renewed.text':
    'Hesabınız için yeni kurtarma kodları oluşturuldu. Öncekiler artık çalışmıyor.',
  'mail.recovery-code-used.subject': 'Kurtarma kodu kullanıldı',
  'mail.recovery-code-used.text':
    'Hesabınızın bir kurtarma kodu kullanıldı. {left, plural, =0 {Hiç kod kalmadı: yenilerini oluşturun.} one {# kod kaldı.} other {# kod kaldı.}}',
  'mail.totp-blocked.subject': 'Kimlik doğrulama uygulaması engellendi',
  'mail.totp-blocked.text':
    'Parolanızdan sonra çok fazla yanlış kod girildi. Kurtarma kodu veya geçiş anahtarı kullanana kadar kimlik doğrulama uygulamanızın kodları reddedilir. Parolanızı değiştirin.',
  'mail.authenticators-reset-scheduled.subject': 'İkinci faktörleriniz kaldırılacak',
  'mail.authenticators-reset-scheduled.text':
    'Destek ekibinden hesabınızın ikinci faktörlerini kaldırması istendi: kimlik doğrulama uygulamaları, geçiş anahtarları ve kurtarma kodları. Kaldırılma zamanı: {time}. Bundan sonra oturum açmak için yalnızca parolanız veya sağlayıcınız yeterli olur.',
  'mail.authenticators-reset-scheduled.reason': 'Destek ekibinin not ettiği neden: {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'Bunu siz istemediyseniz şimdi iptal edin ve parolanızı değiştirin: başka biri hesabınıza girmeye çalışıyor olabilir.',
  'mail.authenticators-reset-scheduled.action': 'Kaldırmayı iptal et',
  'mail.authenticators-reset.subject': 'İkinci faktörler kaldırıldı',
  'mail.authenticators-reset.text':
    'Destek ekibinden istendiği gibi hesabınızın ikinci faktörleri kaldırıldı. Şimdi yeni bir tane ekleyin.',
  'mail.authenticators-reset-cancelled.subject': 'İkinci faktörler duruyor',
  'mail.authenticators-reset-cancelled.text':
    'İkinci faktörlerinizin kaldırılması iptal edildi. Hiçbir şey değişmedi.',
  'person.no-second-factor': 'Bu kişinin ikinci faktörü yok.',
  'person.reset-pending': 'Bu kişi için zaten bekleyen bir sıfırlama var. Bekleyin veya iptal ettirin.',
  'job.running': 'Görev çalışıyor. Bu denemenin bitmesini bekleyin.',
  'job.not-failed': 'Görev başarısız olmadı. Zamanı geldiğinde çalışacak.',
  'scope.import': 'İçe aktarma',
  'scope.import.create': 'Başka bir sistemin kişilerini içe aktarma',
  'scope.job': 'Görevler',
  'scope.job.read': 'Kuyruktaki görevleri görüntüleme',
  'scope.job.retry': 'Başarısız görevleri yeniden çalıştırma',
  'scope.operated-tenant': 'Platformun kuruluşları',
  'scope.operated-tenant.read': 'Kuruluşları bulma ve görüntüleme',
  'scope.operated-tenant.export': 'Kuruluşlar hakkında saklananları dışa aktarma',
  'scope.operated-tenant.limit': 'Kuruluşların sınırlarını değiştirme',
  'scope.operated-tenant.archive': 'Kuruluşları arşivleme',
  'scope.operated-tenant.restore': 'Arşivlenmiş kuruluşları geri yükleme',
  'scope.platform-audit': 'Platformun denetim günlüğü',
  'scope.platform-audit.read': 'Platformun denetim günlüğünü görüntüleme',
  'scope.person': 'Kişiler',
  'person.operator': 'Bu kişi bir operatör. Önce operatörlüğünü kaldırın.',
  'person.exceeds-caller':
    'Bu operatörün sizde olmayan izinleri var. Bu izinlere sahip bir operatöre başvurun.',
  'person.erasure-requested': 'Bu silmeyi siz istediniz. Başka bir operatörün onaylaması gerekir.',
  'person.appointed-lately':
    'İki onaydan biri için çok yeni atandınız: bir gün geçmesi ve isteğin bundan sonra yapılmış olması gerekir.',
  'person.no-erasure': 'Bu kişi için bekleyen bir silme yok.',
  'mail.not-resendable': 'Bu e-posta yeniden gönderilemez: bekliyor, süresi dolmuş veya geri çekilmiş.',
  'mail.link-void':
    'Bu e-postanın bağlantısı veya kodu kullanılmış veya değiştirilmiş. Yeni bir e-posta istenmesi gerekir.',
  'mail.resent-enough': 'Bu kişiye bir saat içinde bu türden beş e-posta gönderildi. Bekleyin.',
  'person.suspended': 'Hesap askıda. Önce askıyı kaldırın.',
  'person.not-suspended': 'Hesap askıda değil.',
  'person.no-address': 'Bu kişinin e-posta gönderilebilecek bir adresi yok.',
  'person.no-password': 'Bu kişinin parolası yok.',
  'scope.person.read': 'Kişileri bulma ve hesaplarını görüntüleme',
  'scope.person.suspend': 'Hesapları askıya alma',
  'scope.person.restore': 'Hesapların askısını kaldırma',
  'scope.person.end-sessions': 'Kişilerin oturumlarını sonlandırma',
  'scope.person.send-password-reset': 'Kişilere parola sıfırlama bağlantısı gönderme',
  'scope.person.require-new-password': 'Yeni parola isteme',
  'scope.person.export': 'Yalnızca kişinin okuyabileceği veri dışa aktarmalarını başlatma',
  'scope.person.erase': 'Hesapları silme',
  'scope.person.keep': 'Hesap silme isteklerini geri çekme',
  'scope.person.resend-mail': 'Kişilere e-postaları yeniden gönderme',
  'scope.person.reset-authenticators': 'Kişilerin ikinci faktörlerini sıfırlama',
  'mail.password-removed.subject': 'Parola kaldırıldı',
  'mail.password-removed.text': 'Hesabınızdan parola kaldırıldı. Geçiş anahtarlarınızla oturum açarsınız.',
  'scope.webhook-subscription': 'Webhook’lar',
  'scope.webhook-subscription.read': 'Webhook’ları görüntüleme',
  'scope.webhook-subscription.create': 'Webhook oluşturma',
  'scope.webhook-subscription.update': 'Webhook’ları değiştirme',
  'scope.webhook-subscription.delete': 'Webhook’ları silme',
  'scope.webhook-subscription.rotate': 'Webhook’ların gizli anahtarlarını yenileme',
  'scope.webhook-subscription.test': 'Test olayı gönderme',
  'scope.webhook-delivery': 'Webhook teslimatları',
  'scope.webhook-delivery.read': 'Teslimatları ve denemelerini görüntüleme',
  'scope.webhook-delivery.redeliver': 'Yeniden teslim etme',
  'scope.webhook-event': 'Olaylar',
  'scope.webhook-event.read': 'Olayları okuma',
  'scope.operator-webhook': 'Platformun webhook’ları',
  'scope.operator-webhook.read': 'Platformun webhook’larını, teslimatlarını ve olaylarını görüntüleme',
  'scope.operator-webhook.rotate': 'Platformun webhook’larının gizli anahtarlarını yenileme',
  'scope.operator-webhook.manage': 'Platformun webhook’larını yönetme',
  'service-account.exceeds-caller':
    'Hizmet hesabının, sizde olmayan izinleri var. Bu izinlere sahip bir üyeden isteyin.',
  'service-account.disabled-already': 'Hizmet hesabı zaten devre dışı.',
  'service-account.not-disabled': 'Hizmet hesabı devre dışı değil.',
  'scope.service-account': 'Hizmet hesapları',
  'scope.service-account.read': 'Hizmet hesaplarını görüntüleme',
  'scope.service-account.create': 'Hizmet hesabı oluşturma',
  'scope.service-account.create.description':
    'Program olan üyeler ekleme; rolleri kişinin kendi izinlerini aşamaz.',
  'scope.service-account.update': 'Hizmet hesaplarını değiştirme',
  'scope.service-account.delete': 'Hizmet hesaplarını silme',
  'scope.service-account.disable': 'Hizmet hesaplarını devre dışı bırakma',
  'scope.service-account.disable.description': 'Silmeden anahtarlarını reddetme.',
  'scope.service-account.enable': 'Hizmet hesaplarını etkinleştirme',
  'mail.platform-key-expiring.subject': 'Platformun bir anahtarının süresi doluyor',
  'mail.platform-key-expiring.text':
    'Platformun bir hizmet hesabına ait “{name}” anahtarının süresi doluyor. Tarih: {date}.',
  'mail.platform-key-expiring.replace':
    'Anahtarı kullanan program için yenisini oluşturun, ardından bunu iptal edin.',
  'mail.leaked-key.subject': 'Bir anahtar herkese açık bir yerde bulundu',
  'mail.leaked-key.text':
    '“{name}” anahtarının herkese açık bir yerde bulunduğu bildirildi. Anahtar iptal edildi.',
  'mail.leaked-key.replace':
    'Onu kullanan program için yeni bir anahtar oluşturun ve kimlerin okumuş olabileceğini araştırın.',
  'personal-key.forbidden': 'Bu kuruluş, üyelerin anahtarlarına izin vermiyor. Bir hizmet hesabı isteyin.',
  'scope.key-policy': 'Anahtar ilkesi',
  'scope.key-policy.read': 'Anahtar ilkesini görüntüleme',
  'scope.key-policy.update': 'Anahtar ilkesini değiştirme',
  'scope.key-policy.update.description':
    'Anahtarların geçerlilik süresini ve üyelerin kendi anahtarı olup olmayacağını sınırlama.',
  'scope.trust-rule': 'İş yükleri',
  'scope.trust-rule.read': 'Güvenilen iş yüklerini görüntüleme',
  'scope.trust-rule.create': 'İş yüklerine güvenme',
  'scope.trust-rule.delete': 'İş yüklerine güveni sonlandırma',
  'scope.api-key': 'Hizmet hesaplarının anahtarları',
  'scope.api-key.read': 'Anahtarları görüntüleme',
  'scope.api-key.create': 'Anahtar oluşturma',
  'scope.api-key.create.description': 'Anahtar, hizmet hesabının rolleriyle çalışır.',
  'scope.api-key.revoke': 'Anahtarları iptal etme',
  'mail.webhook-disabled.subject': 'Bir webhook devre dışı bırakıldı',
  'mail.webhook-disabled.your-organization': 'kuruluşunuz',
  'mail.webhook-disabled.text': 'Bir webhook, {organization} için devre dışı bırakıldı (alıcı: {host}).',
  'mail.webhook-disabled.of-platform': 'Platformun bir webhook’u devre dışı bırakıldı (alıcı: {host}).',
  'mail.webhook-disabled.enable':
    'Nedenini teslimatlarında görün ve alıcı olayları yeniden kabul edince webhook’u etkinleştirin.',
  'domain.in-use': 'Bir SSO bağlantısı bu alan adını kullanıyor. Önce alan adını bağlantıdan çıkarın.',
  'connection-test.passed': 'Doğru.',
  'connection-test.skipped': 'Önceki bir kontrol başarısız olduğu için kontrol edilmedi.',
  'connection-test.provider.failed':
    'Sağlayıcı yanıt vermedi veya beş saniye içinde yanıt vermedi. Vereni (issuer) ve adresine erişilebildiğini kontrol edin.',
  'connection-test.code.failed':
    'Sağlayıcı kodu kabul etmedi. İstemci kimliğini ve istemci gizli anahtarını kontrol edin.',
  'connection-test.code.denied':
    'Sağlayıcı oturum açmayı reddetti. Uygulamanın size atandığını kontrol edin.',
  'connection-test.code.invalid':
    'Sağlayıcının yanıtı OpenID Connect’e göre geçerli değil. Sağlayıcıdaki uygulama türünü kontrol edin.',
  'connection-test.nonce.failed': 'Kimlik belirteci başka bir oturum açma için. Testi yeniden başlatın.',
  'connection-test.response.failed': 'Yanıt, güvenle okunabilecek bir SAML yanıtı değil.',
  'connection-test.response.encrypted':
    'Onaylama (assertion) şifrelenmiş. Şifrelemeyi SSO bağlantısında açın veya sağlayıcıda kapatın.',
  'connection-test.response.not-encrypted':
    'Onaylama (assertion) şifrelenmemiş. Şifrelemeyi sağlayıcıda açın veya SSO bağlantısında kapatın.',
  'connection-test.response.decryption':
    'Onaylamanın (assertion) şifresi çözülemiyor. Bu SSO bağlantısının meta verilerini sağlayıcıda yeniden içe aktarın ve RSA-OAEP ile AES-GCM seçin.',
  'connection-test.response.status':
    'Sağlayıcı oturum açmayı reddetti. Uygulamanın size atandığını kontrol edin.',
  'connection-test.issuer.failed':
    'Veren (issuer), ayarlardaki ile aynı değil. Sondaki eğik çizgiler dahil tam olarak karşılaştırın.',
  'connection-test.recipient.failed':
    'Yanıt başka bir adres için. Sağlayıcıya bu SSO bağlantısının ACS URL’sini girin.',
  'connection-test.request.failed':
    'Yanıt, bu testin hiçbir isteğine ait değil. Oturum açmayı sağlayıcıda değil, testle başlatın.',
  'connection-test.times.authentication':
    'Yeni bir oturum açma istendiği hâlde sağlayıcı eski bir oturum bildiriyor (AuthnInstant). Google Workspace için gerektiği gibi authnInstantMaxAge sınırını yükseltin veya kaldırın.',
  'connection-test.times.failed':
    'Yanıttaki zamanlar uymuyor: süresi dolmuş, henüz geçerli değil veya sağlayıcının saati yanlış.',
  'connection-test.times.confirmation':
    'Konunun onayı bearer türünde değil veya süresi dolmuş. Sağlayıcının saatini kontrol edin.',
  'connection-test.audience.failed':
    'Yanıt başka bir uygulama için. Sağlayıcıya bu SSO bağlantısının varlık kimliğini veya istemci kimliğini girin.',
  'connection-test.audience.others':
    'ID belirteci başka uygulamalar için de verilmiş. Onlara güveniyorsanız trustedAudiences altında belirtin.',
  'connection-test.signature.failed':
    'İmza geçerli değil. İmzalama sertifikasını veya anahtarları sağlayıcıdakilerle karşılaştırın.',
  'connection-test.signature.missing': 'Onaylama (assertion) imzalanmamış. İmzalamayı sağlayıcıda açın.',
  'connection-test.signature.algorithm':
    'İmza algoritmasına izin verilmiyor. Sağlayıcıda SHA-256 veya daha güçlüsüyle RSA seçin.',
  'connection-test.subject.failed':
    'NameID eksik, geçici veya başka bir tarafa ait. Kalıcı bir NameID veya adresi seçin.',
  'connection-test.subject.other':
    'UserInfo verileri, ID belirtecindekinden başka bir kişiye ait. Sağlayıcıyı kontrol edin.',
  'connection-test.claim.missing': 'ID belirtecinde {claim} yok. Sağlayıcının gönderdiklerine ekleyin.',
  'connection-test.domain.none':
    'SSO bağlantısının doğrulanmış alan adı yok. Bir alan adı doğrulayın ve bağlantıya atayın.',
  'connection-test.domain.missing':
    'Sağlayıcı şu alan adlarından bir adres göndermedi: {domains}. Adresi gönderdiklerine ekleyin.',
  'connection-test.domain.failed': 'Adres şu alan adlarının hiçbirine ait değil: {domains}.',
  'connection-test.attributes.passed': 'Alınan: {count}.',
  'connection-test.roles.passed': 'Sonuçta verilecek roller: {roles}.',
  'connection-test.roles.incomplete':
    'Sağlayıcı tüm grupları göndermedi ya da karşılaştırılamayacak kadar çok grup var. Böyle bir oturum açma hiçbir rolü değiştirmez. Sağlayıcının yalnızca uygulamaya atanan grupları göndermesini sağlayın.',
  'connection-test.roles.none':
    'Hiçbir rol verilmeyecek: kişiler oturum açarken eklenmiyor veya hiçbir kural eşleşmiyor.',
  'connection.active-already': 'SSO bağlantısı zaten etkin.',
  'connection.exceeds-caller':
    'Bu SSO bağlantısıyla sizden fazla yetkisi olan kişiler oturum açabilir. Değiştirmesini bir sahipten isteyin.',
  'setup-link.exceeds-creator':
    'Bu SSO bağlantısıyla, bağlantıyı oluşturandan fazla yetkisi olan kişiler oturum açabilir. Bir sahipten yenisini isteyin.',
  'connection.owners-only': 'Bunu yalnızca bir sahip onaylayabilir veya reddedebilir.',
  'connection.change-outdated': 'İstekten bu yana ayarlar değişti. Reddedin ve yeniden istenmesini sağlayın.',
  'connection.requester-ended':
    'Bunu isteyen kişi bağlantıyı artık değiştiremiyor veya kurulum bağlantısı iptal edildi. Reddedin.',
  'connection.too-many-waiting':
    'Zaten on değişiklik bekliyor. Önce bir sahip birini onaylamalı veya reddetmeli.',
  'scope.connection.confirm': 'SSO bağlantılarındaki değişiklikleri onaylama',
  'mail.connection-change.waits-subject': 'Çoklu oturum açmanızdaki bir değişiklik bir sahibi bekliyor',
  'mail.connection-change.applied-subject': 'Çoklu oturum açmanız değiştirildi',
  'mail.connection-change.waits':
    '{organization} kuruluşunun bir SSO bağlantısı için değişiklik istendi. Bir sahip, bağlantının sayfasında onaylayana kadar hiçbir şey değişmez.',
  'mail.connection-change.applied':
    '{organization} kuruluşunun bir SSO bağlantısı artık başka bir şeyi kabul ediyor.',
  'mail.connection-change.actor': 'Yapan: {actor}',
  'mail.connection-change.by-member': 'bir üye',
  'mail.connection-change.by-setup-link': 'bir kurulum bağlantısı',
  'mail.connection-change.by-provider': 'sağlayıcının meta verileri',
  'mail.connection-change.added': 'Yeni sertifika (SHA-256): {sha256}',
  'mail.connection-change.removed': 'Kaldırılan sertifika (SHA-256): {sha256}',
  'mail.connection-change.check':
    'Kabul edilen bir anahtarı olan, bu SSO bağlantısını kullanan her üye olarak oturum açabilir. Bu değişikliği bilmiyorsanız reddedin veya bağlantıyı devre dışı bırakın.',
  'connection.not-tested': 'SSO bağlantısı, ayarları değiştiğinden beri test edilmedi. Önce test edin.',
  'scope.connection': 'SSO bağlantıları',
  'scope.connection.read': 'SSO bağlantılarını görüntüleme',
  'scope.connection.create': 'SSO bağlantısı oluşturma',
  'scope.connection.update': 'SSO bağlantılarını değiştirme ve devre dışı bırakma',
  'scope.connection.activate': 'SSO bağlantılarını etkinleştirme',
  'scope.connection.test': 'SSO bağlantılarını test etme',
  'scope.connection.delete': 'SSO bağlantılarını silme',
  'scope.domain': 'Alan adları',
  'scope.domain.read': 'Alan adlarını görüntüleme',
  'scope.domain.create': 'Alan adı ekleme',
  'scope.domain.verify': 'Alan adlarını doğrulama',
  'scope.domain.delete': 'Alan adlarını kaldırma',
  'connection.enforced':
    'Oturum açma ilkesi bu SSO bağlantısını gerektiriyor. Önce tek oturum açmayı isteğe bağlı yapın.',
  'mail.emergency-entry.subject': 'Bir sahip tek oturum açma olmadan oturum açtı',
  'mail.emergency-entry.text':
    'Bir sahip, {organization} için gereken sağlayıcı olmadan, ikinci faktörle veya geçiş anahtarıyla oturum açtı.',
  'mail.emergency-entry.check':
    'Bunu hiçbiriniz yapmadıysanız sahiplerin oturumlarını sonlandırın ve denetim günlüğünü kontrol edin.',
  'scope.setup-link': 'Kurulum bağlantıları',
  'scope.setup-link.read': 'Kurulum bağlantılarını görüntüleme',
  'scope.setup-link.create': 'Kurulum bağlantısı oluşturma',
  'scope.setup-link.revoke': 'Kurulum bağlantılarını iptal etme',
  'setup-link.invalid':
    'Bağlantı geçerli değil: süresi dolmuş veya iptal edilmiş. Kuruluştan yenisini isteyin.',
  'setup-link.other-intent': 'Bağlantı bunun için değil. Kuruluştan başka bir bağlantı isteyin.',
  'setup-link.one-connection': 'Kurulum bağlantısının zaten bir SSO bağlantısı var. Onu değiştirin.',
  'setup-link.one-directory': 'Kurulum bağlantısının zaten bir dizini var.',
  'setup-link.active-domains': 'SSO bağlantısı etkin. Alan adlarını kuruluşun üyeleri değiştirir.',
  'setup-link.not-held': 'sizde olmayan {scope} iznini gerektirir',
  'setup-link.too-many': 'En fazla {max} etkin kurulum bağlantısı olabilir. Önce birini iptal edin.',
  'setup-link.too-many-mails':
    'Bu adrese çok fazla kurulum bağlantısı gönderildi. Bir saat sonra tekrar deneyin.',
  'mail.setup-link.subject': 'Tek oturum açmayı kurun',
  'mail.setup-link.an-organization': 'Bir kuruluş',
  'mail.setup-link.text': '{organization}, kimlik sağlayıcısını bağlamanızı istiyor. Hesaba ihtiyacınız yok.',
  'mail.setup-link.secret':
    'Bağlantı yedi gün geçerlidir. Bağlantıya sahip olan herkes kurulumu değiştirebilir: kimseye iletmeyin.',
  'mail.setup-link.unexpected': 'Bu iletiyi beklemiyorsanız yok sayın.',
  'mail.setup-link.open': 'Kurulumu aç',
  'connection.only-certificate': 'Bu, SSO bağlantısının tek sertifikası. Önce bir başkasını ekleyin.',
  'mail.certificate-expiring.subject': 'Tek oturum açma sertifikanızın süresi doluyor',
  'mail.certificate-expiring.text':
    'Kimlik sağlayıcının {organization} için kullandığı bir sertifikanın süresi doluyor. Tarih: {date}.',
  'mail.certificate-expiring.effect':
    'Sağlayıcınız o günden sonra da bununla imzalarsa üyeler oturum açamaz. Yeni sertifikayı SSO bağlantısına daha önce ekleyin.',
  'mail.domain-lapsed.subject': 'Bir alan adı artık doğrulanmış değil',
  'mail.domain-lapsed.your-organization': 'kuruluşunuz',
  'mail.domain-lapsed.text':
    'Alan adının {organization} için sahipliğini kanıtlayan kayıt yedi gündür bulunamıyor: {domain}.',
  'mail.domain-lapsed.by-operator':
    'Hizmetin operatörü, {organization} için doğrulanmış şu alan adını geri aldı: {domain}.',
  'mail.domain-lapsed.effect':
    'Oturum açma yöntemi bağlı olan üyeler oturum açmaya devam edebilir. Bu alan adının yeni kişileri açamaz. Kaydı geri yükleyin, ardından alan adını yeniden doğrulayın.',
  'error.forbidden': 'Buna izin verilmiyor.',
  'error.conflict': 'İstek, geçerli durumla çelişiyor.',
  'error.precondition-failed': 'Öğe, okunduğundan beri değişti.',
  'tenant.name-differs': 'Kuruluşun adını girin.',
  'member.too-many-organizations':
    'Azami sayıda kuruluştasınız: {max}. Gerekmeyen birinden ayrılın; son sahibi olduğunuz yerde önce başka bir üyeyi sahip yapın.',
  'role.key-taken': 'Şu anahtara sahip bir rol zaten var: {key}.',
  'role.too-many': 'Bir kuruluşun en fazla {max} özel rolü olabilir. Kullanılmayan birini silin.',
  'role.unknown': 'Bu kuruluşta {key} rolü yok.',
  'role.named-exceeds-caller': '{key} rolü, sizde olmayan izinler içeriyor.',
  'role.unknown-permission': 'Kuruluşlarda böyle bir izin yok.',
  'role.permission-not-held': 'Bu izin sizde yok.',
  'invitation.open-already':
    'Bu adresin zaten açık bir daveti var. Onu yeniden gönderin veya önce iptal edin.',
  'invitation.member-already': 'Bu adres zaten bir üyeye ait.',
  'invitation.too-many': 'Bu adrese çok fazla davet gönderildi. Bir saat sonra tekrar deneyin.',
  'mail.other-connections.your-organization': 'kuruluşunuz',
  'mail.other-connections.subject': 'Başka kuruluşların oturumları sizinkini açıyor',
  'mail.other-connections.text':
    'Yalnızca başka bir kuruluşun sağlayıcısıyla oturum açanlar şuraya girebilir: {organization}. Yeni kuruluşlarda giremezler.',
  'mail.other-connections.change': 'Bunu reddetmek için kuruluşunuzun oturum açma ilkesini değiştirin.',
  'tenant.mails-used-up':
    'Kuruluşunuz, doğrulanmış alan adları dışındaki adreslere bugünkü {max} e-postasını gönderdi. Alan adını doğrulayın, yarın tekrar deneyin veya bu hizmetin operatörlerinden daha fazlasını isteyin.',
  'tenant.too-many-today': 'Günde {max} kuruluş oluşturabilirsiniz. Yarın tekrar deneyin.',
  'invitation.too-many-open':
    'Kuruluşunuzun {max} açık daveti var, bu en fazlasıdır. Bazılarını iptal edin, kabul edilmelerini bekleyin veya bu hizmetin operatörlerinden daha fazlasını isteyin.',
  'email-change.too-many': 'Adresiniz için günde {max} değişiklik isteyebilirsiniz. Yarın tekrar deneyin.',
  'invitation.account-already': 'Bu adresin bir hesabı var. Daveti kabul etmek için oturum açın.',
  'invitation.not-valid': 'Davet artık geçerli değil. Sizi davet eden üyeden yenisini isteyin.',
  'error.invalid-credentials': 'E-posta adresi veya parola yanlış.',
  'error.email-not-verified': 'E-posta adresi henüz doğrulanmadı.',
  'password.wrong': 'Parola yanlış.',
  'password.current-wrong': 'Geçerli parola yanlış.',
  'password.no-recipient': 'Hesap askıda veya bağlantı gönderilebilecek bir adresi yok.',
  'password.too-many-mails':
    'Bu adrese bu e-postalardan çok fazla gönderildi. Bir saat bekleyip tekrar deneyin.',
  'export.one-a-day':
    'Verilerinizi son bir gün içinde zaten istediniz. O dışa aktarmayı kullanın veya daha sonra yeniden isteyin.',
  'export.person-one-a-day':
    'Bu kişinin dışa aktarması son bir gün içinde zaten başlatıldı. Daha sonra yeniden deneyin.',
  'export.page.title': 'Hakkınızda saklananlar',
  'export.page.lead':
    '{time} itibarıyla. Parolanız gibi gizli bilgiler dahil değildir. Açıklamalar İngilizcedir.',
  'export.page.entries': '{count, plural, =0 {Kayıt yok} one {# kayıt} other {# kayıt}}',
  'export.page.yes': 'evet',
  'export.page.no': 'hayır',
  'export.not-ready': 'Verileriniz henüz hazır değil. Hazır olduğunda e-postayla bildirilir.',
  'password.none': 'Bu hesabın parolası yok. Bunun yerine dış bir sağlayıcıyla yeniden oturum açın.',
  'password.link-not-valid': 'Bağlantı artık geçerli değil. Yenisini isteyin.',
  'registration.wrong-password':
    'Bu adresin hiçbir kaydında bu parola yok. Kaydolurken kullandığınız parolayı girin.',
  'registration.link-not-valid': 'Bağlantı artık geçerli değil. Yenisini isteyin.',
  'email-change.managed':
    'Bu adresi kuruluşunuzun bir dizini yönetiyor. Yöneticinizden adresi orada değiştirmesini isteyin.',
  'email-change.own-address': 'Bu zaten hesabınızın adresi.',
  'email-change.link-not-valid': 'Bağlantı artık geçerli değil. Değişikliği hesabınızdan yeniden isteyin.',
  'email-change.undo-not-valid': 'Bağlantı artık geçerli değil. Bu hizmetin operatöründen yardım isteyin.',
  'error.not-a-member': 'Bu kuruluşun üyesi değilsiniz.',
  'sign-in.wrong-code': 'Kod yanlış, süresi dolmuş veya kullanılmış. Yenisini isteyin.',
  'sign-in.passkey-refused': 'Bu geçiş anahtarı oturum açmak için kullanılamaz.',
  'sign-in.challenge-not-valid':
    'Oturum açma işleminin süresi dolmuş veya işlem tamamlanmış. Yeniden oturum açın.',
  'error.invalid-second-factor': 'İkinci faktör yanlış veya zaten kullanılmış.',
  'authorize.refused.title': 'Bu uygulama oturumunuzu açamıyor',
  'authorize.refused.client':
    'Uygulama burada kayıtlı değil veya devre dışı. Uygulamaya dönüp yeniden başlayın. Yine olursa uygulamayı yönetenlere bildirin.',
  'authorize.refused.redirect-uri':
    'Uygulamanın döndüğü adres kayıtlı değil. Uygulamaya dönüp yeniden başlayın. Yine olursa uygulamayı yönetenlere bildirin.',
  'authorize.refused.request':
    'Uygulamanın isteği bilinmiyor, kullanılmış veya süresi dolmuş. Uygulamaya dönüp yeniden başlayın. Yine olursa uygulamayı yönetenlere bildirin.',
  'authorize.answer.title': 'Uygulamaya devam edin',
  'authorize.answer.lead': 'Tarayıcınız oraya otomatik olarak gider. Gitmezse düğmeye basın.',
  'authorize.answer.continue': 'Devam',
  'logout.refused.title': 'Bu uygulama oturumunuzu kapatamıyor',
  'logout.refused.client':
    'Uygulama burada kayıtlı değil veya devre dışı. Oturumunuz kapatılmadı. Hesabınızın sayfasında oturumu kapatın. Yine olursa uygulamayı yönetenlere bildirin.',
  'logout.refused.redirect-uri':
    'Uygulamanın döndüğü adres kayıtlı değil. Oturumunuz kapatılmadı. Hesabınızın sayfasında oturumu kapatın. Yine olursa uygulamayı yönetenlere bildirin.',
  'logout.refused.hint':
    'İstek, oturum açtığınız uygulamadan başka bir uygulamanın adını veriyor. Oturumunuz kapatılmadı. Hesabınızın sayfasında oturumu kapatın. Yine olursa uygulamayı yönetenlere bildirin.',
  'device.wrong-code': 'Bu kod bilinmiyor, kullanılmış veya süresi dolmuş. Cihazın ekranını kontrol edin.',
  'authenticator.too-many': 'Bunlardan zaten {max} tane var. Önce birini kaldırın.',
  'authenticator.passkey-registered': 'Bu geçiş anahtarı zaten kayıtlı.',
  'authenticator.none-yet': 'Önce bir kimlik doğrulama uygulaması veya geçiş anahtarı ekleyin.',
  'authenticator.no-recovery':
    'Birini kaybettiğinizde de oturum açabilmek için ikinci bir geçiş anahtarı ekleyin veya kurtarma kodları oluşturun.',
  'authenticator.no-six-digits': 'Kodun altı rakamını girin.',
  'authenticator.no-recovery-code': 'Bir kurtarma kodunun on karakterini girin.',
  'authenticator.wrong-code': 'Bu, uygulamanın geçerli kodu değil.',
  'webhook.too-many': 'En fazla {max} abonelik olabilir. Kullanılmayan birini silin.',
  'webhook.unknown-type': 'Böyle bir olay türü yok.',
  'webhook.type-not-readable': 'Bu türden olayları okuyamazsınız.',
  'webhook.needs-scope': 'Bunun için {scope} izni gerekir.',
  'webhook.since-expired': 'Bu zaman {days} günden daha eski.',
  'webhook.since-future': 'Bu zaman gelecekte.',
  'webhook.disabled': 'Abonelik devre dışı. Önce etkinleştirin.',
  'webhook.delivery-not-finished': 'Teslimat bitmedi: zaten gönderilecek.',
  'satellite.client-id-taken': '{clientId} istemci kimliğine sahip bir uydu uygulama zaten var.',
  'field.text':
    '{min} ile {max} karakter arasında bir metin girin; denetim karakteri içermesin ve yalnızca boşluktan oluşmasın.',
  'field.password': '{min} ile {max} karakter arasında bir metin girin; denetim karakteri içermesin.',
  'field.email': 'Bir e-posta adresi girin.',
  'field.integer': '{min} ile {max} arasında bir tam sayı girin.',
  'field.number': '{min} ile {max} arasında bir sayı girin.',
  'field.boolean': 'Değer true veya false olmalıdır.',
  'field.time': 'UTC olarak bir zaman girin, örneğin 2026-11-21T09:00:00Z.',
  'field.date': 'Bir tarih girin, örneğin 2026-11-21.',
  'field.list': '{min} ile {max} arasında öğe girin.',
  'directory.exceeds-caller':
    'Dizinin grupları, sizin veremeyeceğiniz roller veriyor. Verebilecek bir üyeden isteyin.',
  'directory.exceeds-creator': 'Dizinin grupları, bağlantıyı oluşturanın veremeyeceği roller veriyor.',
  'directory.tokens-exceed':
    'Önce şu belirteçleri iptal edip yenilerini oluşturun, çünkü oluşturanlar bu rolleri veremez: {tokens}.',
  'directory.token-stopped':
    'Bu belirteci oluşturan üye ayrıldı, askıya alındı veya artık onu oluşturamaz. Dizin için yeni bir belirteç oluşturup kimlik sağlayıcıya girin.',
  'mail.directory-token-stopped.subject': 'Bir dizin artık değişiklik gönderemiyor',
  'mail.directory-token-stopped.text':
    '{organization} dizinlerinden birinin belirteci reddediliyor: onu oluşturan üye ayrıldı, askıya alındı veya artık onu oluşturamaz.',
  'mail.directory-token-stopped.replace':
    'Dizinin sayfasında yeni bir belirteç oluşturup kimlik sağlayıcınıza girin. O zamana kadar orada devre dışı bıraktığınız kişiler buradaki erişimlerini korur.',
  'scope.directory': 'Dizinler',
  'scope.directory.read': 'Dizinleri görüntüleme',
  'scope.directory.read.description': 'Gönderdikleri kişiler ve çağrılarının günlüğüyle birlikte.',
  'scope.directory.create': 'Dizin oluşturma',
  'scope.directory.update': 'Dizinleri ve gruplarının rollerini değiştirme',
  'scope.directory.delete': 'Dizinleri silme',
  'scope.directory-token': 'Dizinlerin belirteçleri',
  'scope.directory-token.create': 'Dizin belirteci oluşturma',
  'scope.directory-token.revoke': 'Dizin belirteçlerini iptal etme',
  'scope.branding': 'Görünüm',
  'scope.branding.read': 'Kuruluşun görünümünü görüntüleme',
  'scope.branding.update': 'Kuruluşun görünümünü değiştirme',
  'scope.branding.update.description':
    'Gösterilen adı, logoyu, rengi ve e-postaların gönderenini değiştirme.',
  'branding.looks-like-service': 'Bu ad, hizmetin adıyla karıştırılabilir. Başka bir ad seçin.',
  'branding.low-contrast': 'Beyazla kontrastı {contrast}:1, gereken ise {min}:1. Daha koyu bir renk seçin.',
  'branding.logo-type': 'PNG veya WebP biçiminde bir görsel seçin.',
  'branding.logo-bytes': 'Görsel en fazla {max} KiB olabilir.',
  'branding.logo-pixels': 'Görselin eni ve boyu en fazla {max} piksel olabilir.',
  'branding.logo-animated': 'Görsel hareketli olamaz.',
  'branding.logo-damaged': 'Görsel bozuk veya görselden fazlasını içeriyor.',
  'support-access.not-on-request':
    'Oturum açma ilkesi, destek ekibinin istek üzerine girmesine izin vermiyor.',
  'support-access.not-granted': 'Destek ekibinin sonlandırılacak bir erişimi yok.',
  'mail.support-access.subject': 'Destek ekibi kuruluşunuza girebilir',
  'mail.support-access.text':
    'Bir sahip, {organization} için destek ekibine erişim verdi. Bitiş: {until}. Destek ekibi o zamana kadar bir üye adına hareket edebilir.',
  'mail.support-access.end':
    'Denetim günlüğü, destek ekibinin ne yaptığını gösterir. Erişimi istediğiniz zaman sonlandırabilirsiniz.',
  'mail.support-access.your-organization': 'kuruluşunuz',
  'mail.members-imported.subject': 'Destek ekibi kuruluşunuza üye ekledi',
  'mail.members-imported.text':
    'Destek ekibi, içe aktarma ile {organization} kuruluşuna kendi seçtiği rollerle kişiler ekledi.',
  'mail.members-imported.end':
    'Denetim günlüğü kimlerin eklendiğini ve kimin eklediğini gösterir. Bunu istemediyseniz bu kişileri çıkarın ve destek ekibinin erişimini sonlandırın.',
  'scope.support-access': 'Destek ekibinin erişimi',
  'scope.support-access.read': 'Destek ekibinin erişimi olup olmadığını görme',
  'scope.support-access.grant': 'Destek ekibine birkaç saatliğine erişim verme',
  'scope.support-access.end': 'Destek ekibinin erişimini sonlandırma',
  'ability.impersonation': 'Destek ekibi bunu bir kişi adına yapamaz. Yalnızca kişinin kendisi yapabilir.',
  'mail.impersonation.subject': 'Destek ekibi sizin adınıza hareket etti',
  'mail.impersonation.text':
    'Destek ekibinden biri, {organization} için sizin adınıza hareket etti. Başlangıç: {from}, bitiş: {to}.',
  'mail.impersonation.trail':
    'Denetim günlüğünüz ne yapıldığını gösterir. Nedenini bilmiyorsanız kuruluşunuza sorun.',
  'mail.impersonation.your-organization': 'kuruluşunuz',
  'impersonation.not-allowed': 'Kuruluş, destek ekibinin girmesine izin vermiyor.',
  'impersonation.ended': 'Bu kişi adına hareket etme zaten sona ermiş.',
  'scope.impersonation': 'Bir kişi adına hareket etme',
  'scope.impersonation.start': 'Bir kişi adına hareket etmeye başlama',
  'scope.impersonation.end': 'Bir kişi adına hareket etmeyi sonlandırma',
  'error-page.invalid.title': 'İstek geçerli değil',
  'error-page.invalid.lead': 'Geri dönün ve tekrar deneyin.',
  'error-page.unauthenticated.title': 'Önce oturum açın',
  'error-page.unauthenticated.lead': 'Bu adres, oturum açmış kullanıcılar içindir.',
  'error-page.not-found.title': 'Sayfa bulunamadı',
  'error-page.not-found.lead': 'Adres yanlış yazılmış veya sayfa taşınmış olabilir.',
  'error-page.too-many.title': 'Çok fazla istek',
  'error-page.too-many.lead': 'Bir dakika bekleyin, sonra sayfayı yeniden yükleyin.',
  'error-page.internal.title': 'Bizim tarafımızda bir sorun oluştu',
  'error-page.internal.lead': 'Daha sonra tekrar deneyin. Yine olursa aşağıdaki numarayla bildirin.',
  'error-page.unavailable.title': 'Hizmet geçici olarak kullanılamıyor',
  'error-page.unavailable.lead': 'Sayfayı bir dakika sonra yeniden yükleyin.',
  'error-page.home': 'Ana sayfaya git',
  'error-page.documentation': 'API belgeleri',
  'identity.page.unusable.title': 'Bu oturum açma tamamlanamıyor',
  'identity.page.unusable.lead':
    'Süresi dolmuş, daha önce kullanılmış veya başka bir tarayıcıda başlatılmış. Başladığınız yerde yeniden oturum açın.',
  'identity.page.not-available.title': 'Bu oturum açma yöntemi kullanılamıyor',
  'identity.page.not-available.lead':
    'Kimlik sağlayıcısı burada yapılandırılmamış. Geri dönün ve başka bir yolla oturum açın.',
  'identity.page.to-provider.title': 'Kimlik sağlayıcınıza devam edin',
  'identity.page.to-provider.lead': 'Tarayıcınız oraya otomatik olarak gider. Gitmezse düğmeye basın.',
  'identity.page.to-provider.continue': 'Devam',
  'identity.page.sign-out.title': 'Bu oturum kapatma tamamlanamıyor',
  'identity.page.sign-out.lead':
    'Kimlik sağlayıcınızın isteği burada geçerli değil. Oturumu uygulamada kapatın.',
  'portal.description': 'Hesabınız, kuruluşlarınız ve oturumlarınız.',
  'portal.no-script':
    'Bu sayfa JavaScript gerektirir. Bu adres için izin verin, sonra sayfayı yeniden yükleyin.',
  'worker.number-taken': 'Bu kuruluşta başka birinin bu numarası var.',
  'worker.no-owner': 'Adresi olmayan bir çalışan sahip olamaz.',
  'worker.is-owner': 'Bu kişi sahip. Önce sahip rolünü kaldırın.',
  'worker.own': 'Bunu kendiniz için yapamazsınız. Başka bir üyeden isteyin.',
  'worker.owns-account': 'Bu kişinin bir adresi var; adını ve adresini kendisi değiştirir.',
  'worker.pin-temporary': 'Bu PIN geçici. Yeni bir tane seçin.',
  'worker.pin-guessable': 'Tahmini daha zor bir PIN seçin: sıra, tekrar veya numaranız olmasın.',
  'station.other-network': 'Bu istasyon, ayarlandığı ağda değil.',
  'station.pending': 'Bu istasyonun cihazı henüz kaydolmadı.',
  'station.too-many': '{max} istasyon olabilir. Kullanılmayan birini silin.',
  'station.code-refused': 'Bu kod yanlış, kullanılmış veya süresi dolmuş. Yeni bir tane isteyin.',
  'scope.worker': 'Çalışanlar',
  'scope.worker.read': 'Çalışanları görme',
  'scope.worker.create': 'Çalışan ekleme',
  'scope.worker.create.description': 'Adresi olmayan üyeleri, kendi izinlerini aşmayan rollerle ekleme.',
  'scope.worker.update': 'Çalışanları değiştirme',
  'scope.worker.delete': 'Çalışanları kaldırma',
  'scope.worker.suspend': 'Çalışanları askıya alma',
  'scope.worker.reinstate': 'Askıyı kaldırma',
  'scope.worker.reset-pin': 'PIN sıfırlama',
  'scope.worker.reset-pin.description':
    'Çalışanlara geçici PIN verme; örneğin kendilerininkini unuttuklarında.',
  'scope.worker.issue-badge': 'Kart verme',
  'scope.worker.revoke-badge': 'Kart iptali',
  'scope.station': 'İstasyonlar',
  'scope.station.read': 'İstasyonları görme',
  'scope.station.create': 'İstasyon oluşturma',
  'scope.station.create.description': 'Üyelerin oturum açtığı ortak cihazları kurma.',
  'scope.station.update': 'İstasyonları değiştirme',
  'scope.station.delete': 'İstasyonları silme',
  'ability.station': 'Ortak bir istasyonda bunu yapamazsınız. Kendi cihazınızda oturum açın.',
};
